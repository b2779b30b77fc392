"""The plugin folder: the shipped copy is what would be made, and both clients can read it."""

import json
import re
import shlex
from pathlib import Path

import click
import pytest
from tests.requirements import requirement

import twiceshy
from twiceshy.cli import cli
from twiceshy.cli.verbs import COMMANDS
from twiceshy.runtimes.claude_code.plugin import (
    HOOKS,
    LAUNCHER,
    SKILL,
    find_shipped_folder,
    generate_files,
    render_plugin,
)

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = Path(twiceshy.__file__).parent
SHIPPED = Path(find_shipped_folder(str(PACKAGE)))
PLUGIN = SHIPPED / "plugins" / "twiceshy"


@pytest.mark.parametrize("name", generate_files(LAUNCHER))
def test_the_shipped_copy_is_what_would_be_made(name: str) -> None:
    assert (SHIPPED / name).read_text(encoding="utf-8") == generate_files(LAUNCHER)[name]


def test_the_skill_at_the_top_is_the_one_in_the_plugin() -> None:
    top = ROOT / "skills" / "twiceshy" / "SKILL.md"

    assert top.read_bytes() == (SHIPPED / SKILL).read_bytes()


def test_the_licence_in_the_plugin_is_ours() -> None:
    assert (PLUGIN / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


@pytest.mark.parametrize("home", ["/home/u/.twiceshy", "/home/o'hara/my notes", "/home/$u/`x`"])
def test_every_hook_line_is_the_same_and_names_the_launcher(home: str) -> None:
    files = render_plugin(str(PACKAGE), f"{home}/bin/hook")

    groups = json.loads(files["plugins/twiceshy/hooks/hooks.json"])["hooks"]

    lines = {hook["command"] for group in groups.values() for hook in group[0]["hooks"]}
    assert [shlex.split(line) for line in lines] == [[f"{home}/bin/hook", "claude-code"]]
    assert list(groups) == [row.event for row in HOOKS]


@requirement("R03")
def test_the_server_answers_what_it_can_hear_if_the_user_wants_it() -> None:
    made = generate_files("hook", server="/h/bin/mcp", answers=True)
    groups = json.loads(made["plugins/twiceshy/hooks/hooks.json"])["hooks"]

    kinds = {event: group["hooks"][0]["type"] for event, (group,) in groups.items()}

    assert {event for event, kind in kinds.items() if kind == "command"} == {
        "SessionStart",
        "SessionEnd",
    }
    (called,) = groups["PreToolUse"][0]["hooks"]
    assert (called["server"], called["tool"]) == ("plugin:twiceshy:twiceshy", "hook")
    assert called["input"]["runtime"] == "claude-code"
    assert called["input"]["tool_input"] == "${tool_input}"


def test_without_a_server_every_event_has_a_process() -> None:
    assert generate_files("hook", answers=True) == generate_files("hook")


def test_the_hook_lines_are_commands_for_a_shell() -> None:
    groups = json.loads(generate_files("hook")["plugins/twiceshy/hooks/hooks.json"])["hooks"]

    for (group,) in groups.values():
        assert set(group) <= {"matcher", "hooks"}
        for hook in group["hooks"]:
            assert set(hook) == {"type", "command", "timeout"}
            assert hook["type"] == "command"


def test_a_folder_carries_every_file_that_is_shipped() -> None:
    files = render_plugin(str(PACKAGE), "/h/bin/hook")

    shipped = {
        path.relative_to(SHIPPED).as_posix() for path in SHIPPED.rglob("*") if path.is_file()
    }
    assert set(files) == shipped
    assert not any(LAUNCHER.encode() in content for content in files.values())


@requirement("U009", "U157", "E76")
def test_a_runtime_can_discover_how_to_use_us() -> None:
    text = (SHIPPED / SKILL).read_text(encoding="utf-8")

    _, front, body = text.split("---\n", 2)

    assert "name: twiceshy\n" in front
    description = " ".join(front.partition("description: >-")[2].partition("license:")[0].split())
    assert 100 < len(description) <= 1024
    assert "TRIGGER when" in description
    for word in ("skill memory", "cross-session learning", "handoff", "交接", "反思", "存記憶"):
        assert word in description
    examples = body.split("\n## Example")[1:]
    assert len(examples) == 2
    for verb in ("note", "recall"):
        when = body.partition(f"## When to {verb}\n")[2].partition("\n## ")[0]
        assert len(re.findall(r"^- ", when, re.MULTILINE)) >= 3
        assert "Do not" in when
        assert any(f"    twiceshy {verb} " in example for example in examples)


@pytest.mark.parametrize("page", sorted(PLUGIN.rglob("*.md")), ids=lambda page: page.name)
def test_what_agents_are_told_to_run_exists(page: Path) -> None:
    quoted = re.findall(
        r"(?:`|^    )twiceshy ([a-z-]+)([^`\n]*)", page.read_text("utf-8"), re.MULTILINE
    )

    unknown = [
        (verb, option)
        for verb, rest in quoted
        for option in ["--help", *re.findall(r"--[a-z-]+", rest)]
        if verb not in COMMANDS or option not in options(verb)
    ]

    assert quoted
    assert unknown == []


def options(verb: str) -> set[str]:
    """Return the options that a verb has."""
    with click.Context(cli) as context:
        command = cli.get_command(context, verb)
        assert command is not None
        return {name for parameter in command.get_params(context) for name in parameter.opts}
