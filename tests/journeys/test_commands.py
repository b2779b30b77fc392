"""Our commands in real clients: what a person types with a slash, in either language, reaches the model as meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.journeys.lab.script import says

from twiceshy.runtimes.command_table import PAIRS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.journeys.lab.bench import Lab
    from tests.journeys.lab.claude_code import ClaudeCode
    from tests.journeys.lab.opencode import OpenCode
    from tests.journeys.lab.pi import Pi

pytestmark = pytest.mark.journey

LISTED = "overview / 全覽  "
HOSTILE = "it's `touch pwned` $(touch pwned) \"; touch pwned\nENDSESSION"


def last(lab: Lab) -> str:
    """Return what the model was asked last."""
    return str(lab.requests[-1].body["messages"][-1]["content"])


@pytest.fixture
def shop(lab: Lab) -> Path:
    return lab.project("shop")


@pytest.mark.parametrize("name", ["overview", "全覽"])
def test_claude_code_shows_the_model_what_a_command_printed(
    connected: ClaudeCode, shop: Path, name: str
) -> None:
    connected.trust(shop)
    connected.write(connected.settings, _without_permissions(connected))

    ran = connected.ask(f"/twiceshy:{name}", says("Shown."), project=shop)

    assert ran.out.strip() == "Shown."
    assert LISTED in last(connected.lab)
    assert connected.hook_troubles() == []
    assert not (connected.lab.memory / "hook.log").exists()


@pytest.mark.parametrize("name", ["save", "存記憶"])
def test_claude_code_hands_the_users_words_to_the_model_and_runs_none_of_them(
    connected: ClaudeCode, shop: Path, name: str
) -> None:
    connected.trust(shop)

    connected.ask(f"/twiceshy:{name} {HOSTILE} !`touch pwned`", says("Kept."), project=shop)

    asked = last(connected.lab)
    assert "Run `twiceshy save` with them as arguments" in asked
    assert "$(touch pwned)" in asked
    assert not list(shop.glob("pwned*"))


def test_no_session_of_claude_code_pays_for_commands_that_nobody_called(
    connected: ClaudeCode, shop: Path
) -> None:
    connected.trust(shop)

    connected.ask("hello", says("Hi."), project=shop)

    assert not [pair.name for pair in PAIRS if connected.lab.find(pair.about)]


def test_opencode_shows_the_model_what_a_command_printed(opencode: OpenCode, shop: Path) -> None:
    opencode.lab.twiceshy("install", "opencode", "--yes")
    own = {"description": "Mine", "template": "My own page."}
    opencode.set(command={"twiceshy:check": own})

    options = ("--command", "twiceshy:全覽")
    opencode.ask("", says("Shown."), project=shop, options=options)
    shown = last(opencode.lab)
    opencode.ask("", says("Mine."), project=shop, options=("--command", "twiceshy:check"))

    assert LISTED in shown
    assert "My own page." in last(opencode.lab)


def test_pi_hands_the_users_words_to_the_model(pi: Pi, shop: Path) -> None:
    pi.lab.twiceshy("install", "pi", "--yes")

    pi.ask("/twiceshy:存記憶 $(touch pwned)", says("Kept."), project=shop)

    assert pi.lab.find("The user's words, if any: $(touch pwned)")
    assert pi.lab.find("Run `twiceshy save` with them as arguments")
    assert not list(shop.glob("pwned*"))


def _without_permissions(claude: ClaudeCode) -> dict[str, object]:
    """Return the settings without what the user allows: a command brings what it needs."""
    import json

    known = json.loads(claude.settings.read_text())
    return {name: value for name, value in known.items() if name != "permissions"}
