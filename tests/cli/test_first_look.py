"""The program without a command, its help page, and the week that it sums up."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cli.conftest import Command
from tests.commands import run_command
from tests.hooks.sessions import MORNING, Session, learning, teach, twiceshy
from tests.requirements import requirement

from twiceshy.cli.verbs import COMMANDS, FACE

SHOWN = [verb for verbs in FACE.values() for verb in verbs]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@requirement("N01")
def test_the_name_alone_says_what_to_do_first_and_leaves_nothing_behind(
    shop: Path, home: Path
) -> None:
    done = run_command(cwd=shop, env={})

    assert done.code == 0
    assert done.out.splitlines() == [
        "twiceshy remembers nothing yet: no agent is connected.",
        "next:      twiceshy install --plan   shows how agents are connected",
        "help:      twiceshy help",
    ]
    assert not home.exists()


@requirement("N01")
def test_the_name_alone_prints_five_lines_on_this_project(shop: Path) -> None:
    twiceshy(shop, "note", "Lock first.")
    twiceshy(shop, "note", "Everywhere.", "-g")
    twiceshy(shop, "todo", "add", "Write the changelog")
    twiceshy(shop, "page", "set", "project", "A shop.")

    lines = twiceshy(shop).splitlines()

    assert len(lines) == 5
    assert lines[0] == "shop: notes: 1, rules: 0, open tasks: 1, pages: 1"
    assert lines[-1].startswith("next: ")
    assert twiceshy(shop.parent).startswith(f"{shop.parent.name}: notes: 0")


@requirement("N02")
def test_the_help_page_shows_what_most_people_need_and_every_command_is_one_step_away(
    twiceshy: Command,
) -> None:
    page, everything = twiceshy("--help").out, twiceshy("help", "--all").out

    listed = [line.split()[0] for line in page.splitlines() if line.startswith("  ")]
    assert [verb for verb in listed if verb in COMMANDS] == SHOWN
    assert len(SHOWN) <= 30
    assert twiceshy("help").out == page
    assert all(f"  {verb} " in everything for verb in COMMANDS)


@requirement("N02")
@pytest.mark.parametrize("verb", COMMANDS)
def test_a_command_explains_itself_whether_it_is_shown_or_not(
    twiceshy: Command, verb: str
) -> None:
    assert twiceshy("help", verb).out == twiceshy(verb, "--help").out


@pytest.mark.parametrize(
    ("group", "name", "older"),
    [
        ("page", "set", "memory-set"),
        ("page", "show", "memory-get"),
        ("page", "list", "memory-list"),
        ("session", "list", "episodes"),
        ("session", "learn", "distill"),
    ],
)
def test_a_command_of_a_group_names_itself_as_the_group_does(
    twiceshy: Command, group: str, name: str, older: str
) -> None:
    page = twiceshy(group, name, "--help").out

    assert f"Usage: twiceshy {group} {name}" in page
    assert f"Example: twiceshy {group} {name}" in page
    assert older not in page
    assert f"Example: twiceshy {older}" in twiceshy(older, "--help").out


@pytest.mark.parametrize("group", ["page", "session"])
def test_a_group_alone_lists_its_commands(twiceshy: Command, group: str) -> None:
    assert twiceshy(group).out == twiceshy(group, "--help").out


def test_whoever_just_connected_an_agent_is_not_told_to_connect_one(
    twiceshy: Command, tmp_path: Path
) -> None:
    (tmp_path / "user" / ".claude").mkdir()
    twiceshy("install", "claude-code", "--yes")

    said = twiceshy().out

    assert "next session of your agent" in said
    assert "install" not in said


def test_help_for_what_is_no_command_suggests_one(twiceshy: Command) -> None:
    assert "did you mean 'note'" in twiceshy("help", "nota", fails=2).err
    assert "has no commands of its own" in twiceshy("help", "note", "fast", fails=2).err
    assert "nosuch" in twiceshy("help", "page", "nosuch", fails=2).err


ERROR = "Exit code 2\nmake: no rule for deploy"


@requirement("N03")
def test_the_week_is_told_by_status_and_by_the_first_screen(shop: Path, home: Path) -> None:
    teach(home, shop)
    repaired, idle = Session(shop, "repaired"), Session(shop, "idle")
    assert "make ship" in repaired.fails("make deploy")
    repaired.works(("make deploy", ERROR), ("make ship", None))
    assert "make ship" in idle.fails("make deploy")
    idle.works(("make deploy", ERROR))
    with learning(repaired, idle) as learner:
        for session in (repaired, idle):
            session.wait(30)
            session.told("SessionEnd", reason="other")
        assert learner.ended()

    said = (
        "last week: told 2 times, heeded 1 (before the mistake 0, at the error 1),"
        " stopped 0 calls, learned 2"
    )
    assert said in twiceshy(shop, now=repaired.now).splitlines()
    assert said in twiceshy(shop, "status", now=repaired.now).splitlines()
    later = twiceshy(shop, now="2026-11-20T09:00:00Z")
    assert "told 0 times" in later
    assert repaired.now > MORNING


@settings(max_examples=10)
@given(argument=st.text("abc-_ \n\x1b~é😀", max_size=12))
def test_whatever_follows_the_name_there_is_no_traceback(argument: str) -> None:
    done = run_command("help", argument, cwd=Path(os.environ["HOME"]), env={})

    assert done.code in (0, 2)
    assert "Traceback" not in done.out + done.err
