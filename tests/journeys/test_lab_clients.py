"""Every client of the laboratory: a session follows the script, keeps its prefix and stays inside."""

import json
from pathlib import Path

import pytest
from tests.journeys.lab.bench import Lab
from tests.journeys.lab.claude_code import ClaudeCode
from tests.journeys.lab.client import Client
from tests.journeys.lab.clients import NoClientError
from tests.journeys.lab.codex import Codex, trust_hooks
from tests.journeys.lab.gemini import Gemini
from tests.journeys.lab.opencode import OpenCode
from tests.journeys.lab.pi import Pi
from tests.journeys.lab.presence import here
from tests.journeys.lab.script import Step, calls

pytestmark = pytest.mark.journey

COUNT = "echo counted three boxes; env > seen.txt"
PROGRAM = f"text((await tools.exec_command({{cmd: {COUNT!r}}})).output)"
FOREIGN = ("ANTHROPIC", "CLAUDE", "PYTEST", "TWICESHY_HOME", "VIRTUAL_ENV", "XDG_")


@pytest.fixture
def shop(lab: Lab) -> Path:
    return lab.project("shop")


def strangers(shop: Path) -> list[str]:
    """Return what a tool saw in its environment that does not belong to the lab."""
    seen = dict(line.partition("=")[::2] for line in (shop / "seen.txt").read_text().splitlines())
    own = {"HOME": str(shop.parent), "TMPDIR": str(shop.parents[1] / "tmp")}
    moved = [name for name, value in own.items() if seen[name] != value]
    return moved + [name for name in seen if name.startswith(FOREIGN)]


def hold_a_session(client: Client, shop: Path, step: Step, *options: str) -> None:
    """Let the model run one command, and look at all that a session leaves behind."""
    ran = client.ask("count the boxes", step, project=shop, options=options)

    assert (ran.code, ran.out) == (0, "All done.\n"), ran.err
    answers = [request.answered_by for request in client.lab.model.requests]
    assert "nobody" not in answers
    assert [answer for answer in answers if not answer.startswith("route")] == ["step", "final"]
    assert {place.request for place in client.lab.find("counted three boxes")} == {1}
    assert client.lab.broken_prefix() == ""
    assert len(client.transcripts()) == 1
    assert strangers(shop) == []


def test_codex_follows_the_script(codex: Codex, shop: Path) -> None:
    hold_a_session(codex, shop, calls("exec_command", cmd=COUNT))


def test_codex_follows_the_script_with_a_model_that_writes_programs(
    codex: Codex, shop: Path
) -> None:
    hold_a_session(codex, shop, calls("exec", input=PROGRAM), "-m", "gpt-6.1-sol")


def test_opencode_follows_the_script(opencode: OpenCode, shop: Path) -> None:
    hold_a_session(opencode, shop, calls("bash", command=COUNT, description="Count"))


def test_pi_follows_the_script_under_both_names(pi: Pi, shop: Path) -> None:
    hold_a_session(pi, shop, calls("bash", command=COUNT))


def test_gemini_follows_the_script(gemini: Gemini, shop: Path) -> None:
    hold_a_session(gemini, shop, calls("run_shell_command", command=COUNT))


def test_codex_runs_hooks_once_a_person_has_trusted_them(codex: Codex, shop: Path) -> None:
    codex.trusts_hooks = False
    heard = codex.record(["SessionStart", "UserPromptSubmit"])

    codex.ask("count the boxes", project=shop)
    before = heard.read_text()
    trust_hooks(codex, shop)
    codex.ask("count the boxes", project=shop)

    assert before == ""
    told = [json.loads(line)["hook_event_name"] for line in heard.read_text().splitlines()]
    assert told == ["SessionStart", "UserPromptSubmit"]


def test_two_clients_live_in_one_home(claude: ClaudeCode, codex: Codex, shop: Path) -> None:
    claude.trust(shop)

    first = claude.ask("count", calls("Bash", command="echo one", description="C"), project=shop)
    asked_first = claude.lab.requests
    second = codex.ask("count", calls("exec_command", cmd="echo two"), project=shop)

    assert (first.out, second.out) == ("All done.\n", "All done.\n")
    assert {request.path for request in asked_first} == {"/v1/messages"}
    assert {request.path for request in codex.lab.requests} == {"/v1/responses"}
    assert codex.lab.broken_prefix() == ""


def test_a_user_finds_every_client_by_its_name(
    codex: Codex, opencode: OpenCode, pi: Pi, gemini: Gemini, lab: Lab
) -> None:
    for name in ("codex", "opencode", "pi", "gemini"):
        ran = lab.run(["/usr/bin/env", name, "--version"], cwd=lab.home, env=lab.env())

        assert ran.code == 0, name
        assert "." in ran.out + ran.err, name


def cannot() -> Codex:
    raise NoClientError("npm is needed")


@pytest.mark.parametrize(
    ("on_the_build_server", "outcome"), [("", pytest.skip.Exception), ("true", NoClientError)]
)
def test_a_client_that_cannot_be_had_is_a_skip_with_its_reason_but_not_on_the_build_server(
    on_the_build_server: str,
    outcome: type[BaseException],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CI", on_the_build_server)

    with pytest.raises((NoClientError, pytest.skip.Exception), match="npm is needed") as told:
        here(cannot)

    assert told.type is outcome
