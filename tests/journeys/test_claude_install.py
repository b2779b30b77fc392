"""Claude Code takes our plugin as it is, by its own commands or by ours, and is left as it was."""

import json
from pathlib import Path

import pytest
from tests.journeys.lab.claude_code import ClaudeCode, a_market
from tests.journeys.lab.script import calls
from tests.requirements import requirement
from tests.store.support import bytes_under

pytestmark = pytest.mark.journey

LESSON = "Weigh the box before you tape it shut."
# As a person left it: tabs, an odd order, a hook of their own, no line break at the end.
SETTINGS = """{
\t"permissions": {"allow": ["Bash", "Skill"]},
\t"hooks": {"Stop": [ {"hooks": [{"type": "command", "command": "touch stopped"}]} ]},

\t"env": { "GREETING": "hällo" }
}"""


@pytest.fixture
def shop(claude: ClaudeCode) -> Path:
    project = claude.lab.project("shop")
    claude.trust(project)
    claude.skill(project, "pack")
    claude.lab.twiceshy("note", LESSON, "--skill", "pack", cwd=project)
    return project


def test_the_plugin_is_valid_by_the_clients_own_strict_rules(connected: ClaudeCode) -> None:
    market = connected.lab.memory / "claude-code"

    for folder in (market, market / "plugins" / "twiceshy"):
        checked = connected.command("plugin", "validate", "--strict", str(folder))

        assert checked.code == 0, checked.out + checked.err


def test_the_client_starts_our_server_from_the_plugin(connected: ClaudeCode) -> None:
    listed = connected.command("mcp", "list")

    assert "plugin:twiceshy:twiceshy: " in listed.out
    assert "Connected" in listed.out


@requirement("U009", "F59")
def test_the_model_learns_from_our_skill_how_to_use_twiceshy(
    connected: ClaudeCode, shop: Path
) -> None:
    connected.ask("remember this", calls("Skill", skill="twiceshy:twiceshy"), project=shop)

    assert connected.lab.find("- twiceshy:twiceshy: ")
    assert connected.lab.find("TRIGGER when the user says remember this")
    assert connected.lab.find("Launching skill: twiceshy:twiceshy")
    assert connected.lab.find('twiceshy note "<when this, do that, because>" --as-agent')


def test_the_clients_own_commands_install_and_remove_the_plugin(
    claude: ClaudeCode, shop: Path
) -> None:
    elsewhere = claude.lab.root / "elsewhere"
    claude.lab.twiceshy("install", "claude-code", "--yes", CLAUDE_CONFIG_DIR=str(elsewhere))
    market = claude.lab.memory / "claude-code"

    added = claude.command("plugin", "marketplace", "add", str(market))
    installed = claude.command("plugin", "install", "twiceshy@twiceshy")
    claude.ask("pack", calls("Skill", skill="pack"), project=shop)
    told = claude.lab.find(LESSON)
    broken = claude.lab.broken_prefix()
    removed = claude.command("plugin", "uninstall", "twiceshy@twiceshy")
    claude.ask("pack", calls("Skill", skill="pack"), project=shop)
    after = claude.lab.find(LESSON)

    assert (added.code, installed.code, removed.code) == (0, 0, 0)
    assert [place.path for place in told] == ["messages[2].content[0].content"]
    assert broken == ""
    assert after == []


# the last two tell of skills that have settled, and of what hooks did
PASSING = ("-wal", "-shm", ".lock", "skills.json", "run.log")


def kept(home: Path) -> list[str]:
    """Name the files of a memory home, but not those that come and go with the work in it, or show notes."""
    return [
        file.name
        for file in bytes_under(home)
        if not file.name.endswith(PASSING)
        and file.parent.name not in ("watch", "copies")
        and "vault" not in file.parts
    ]


@requirement("U008", "A20")
def test_after_an_uninstall_the_settings_are_as_before_byte_for_byte(
    claude: ClaudeCode, shop: Path
) -> None:
    claude.settings.write_text(SETTINGS, encoding="utf-8")
    pack = calls("Skill", skill="pack")
    home = kept(claude.lab.memory)

    claude.lab.twiceshy("install", "claude-code", "--yes")
    claude.ask("pack", pack, project=shop)
    told = claude.lab.find(LESSON)
    claude.lab.twiceshy("uninstall", "--yes")
    uninstalled = claude.settings.read_bytes()
    left = kept(claude.lab.memory)
    plugins = bytes_under(claude.settings.parent / "plugins")
    claude.ask("pack", pack, project=shop)

    assert told
    assert uninstalled == SETTINGS.encode()
    assert left == home
    assert [file for file, content in plugins.items() if b"twiceshy" in content] == []
    assert claude.settings.read_bytes() == SETTINGS.encode()
    assert claude.lab.find("twiceshy") == []
    assert "twiceshy" not in claude.command("plugin", "list").out
    assert LESSON in claude.lab.twiceshy("list", "--skill", "pack", cwd=shop).out
    assert (shop / "stopped").exists()


def test_what_the_client_wrote_meanwhile_stays_and_only_our_part_goes(
    connected: ClaudeCode, shop: Path
) -> None:
    market = a_market(connected)

    connected.command("plugin", "marketplace", "add", str(market))
    connected.command("plugin", "install", "kit@stall")
    with_both = json.loads(connected.settings.read_text())
    connected.lab.twiceshy("uninstall", "--yes")
    left = json.loads(connected.settings.read_text())
    connected.ask("pack", calls("Skill", skill="pack"), project=shop)

    assert sorted(with_both["enabledPlugins"]) == ["kit@stall", "twiceshy@twiceshy"]
    assert left["enabledPlugins"] == {"kit@stall": True}
    assert list(left["extraKnownMarketplaces"]) == ["stall"]
    assert left["permissions"] == with_both["permissions"]
    assert connected.lab.find("twiceshy") == []
    assert connected.lab.find("kit:wrap")


def test_installing_twice_runs_every_hook_once(connected: ClaudeCode, shop: Path) -> None:
    before = connected.settings.read_bytes()

    connected.lab.twiceshy("install", "claude-code", "--yes")
    connected.ask("pack", calls("Skill", skill="pack"), project=shop)

    assert connected.settings.read_bytes() == before
    assert len(connected.lab.find(LESSON)) == 1
