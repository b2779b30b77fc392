"""A handoff reaches the next session of its project: once for each text of it, and never its own author."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.hooks.attack import UNHURRIED
from tests.hooks.sessions import Session, exposures, twiceshy
from tests.requirements import requirement

from twiceshy.core.text import estimate_tokens

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder


def hand_over(folder: Path, *words: str, session: str = "writer") -> None:
    """Hand over from a session of Claude Code, whose agent runs the command."""
    twiceshy(folder, "handoff", *words, session=session)


def another(project: Path, name: str) -> Session:
    session = Session(project, name)
    session.env = dict(UNHURRIED)
    return session


@requirement("U151", "A13", "E27")
def test_a_handoff_is_shown_to_one_session_and_to_no_other(project: Path, home: Path) -> None:
    hand_over(project, "--status", "half done", "--left", "mend the lexer")

    first, second = another(project, "s1").start(), another(project, "s2").start()

    assert first.startswith('<handoff written="2026-11-02">')
    assert "Status: half done" in first
    assert "- [ ] mend the lexer" in first
    assert second == ""
    shown, offered = exposures(home, "s1")
    assert (offered.channel, shown.channel, shown.session) == ("offer", "handoff", "s1")


@requirement("U151", "A13", "E28")
def test_m10_a_handoff_that_comes_in_mid_conversation_is_shown_at_the_next_prompt(
    project: Path,
) -> None:
    session, late = another(project, "s1"), another(project, "s2")
    session.start()
    session.prompt("go on")
    hand_over(project, "--status", "half done")

    told = session.prompt("and now?")

    assert "Status: half done" in told
    assert session.prompt("and now?") == ""
    assert late.start() == ""


@requirement("U151", "A13")
def test_m10_a_handoff_that_was_brought_up_to_date_is_shown_again(project: Path) -> None:
    hand_over(project, "parser", "--status", "half done")
    first = another(project, "s1").start()
    hand_over(project, "parser", "--status", "half done")
    same = another(project, "s2").start()
    hand_over(project, "parser", "--status", "nearly done")

    told = another(project, "s3").start()

    assert '<handoff topic="parser" written="2026-11-02">' in first
    assert same == ""
    assert "Status: nearly done" in told
    assert "half done" not in told


@requirement("U151", "A13")
def test_m10_another_projects_handoff_of_the_same_name_is_its_own(
    project: Path, elsewhere: Path
) -> None:
    hand_over(project, "parser", "--status", "here")
    hand_over(elsewhere, "parser", "--status", "there")

    here, there = another(project, "s1").start(), another(elsewhere, "s2").start()

    assert "Status: here" in here
    assert "there" not in here
    assert "Status: there" in there


@requirement("A13")
@pytest.mark.parametrize("how", ["startup", "compact"])
def test_nobody_is_shown_what_he_handed_over_himself(project: Path, how: str) -> None:
    author = another(project, "writer")
    author.start()
    hand_over(project, "--status", "half done", session="writer")

    told = [author.prompt("go on"), author.start(how)]

    assert told == ["", ""]
    assert "half done" in another(project, "s2").start()


@requirement("A13")
def test_m11_rules_of_dashes_inside_a_handoff_cut_nothing_out_of_it(project: Path) -> None:
    hand_over(project, "--status", "x", "--text", "above\n---\nbetween\n---\nbelow")

    told = another(project, "s1").start()

    assert [line for line in told.splitlines() if line.startswith("> ")] == [
        "> above",
        "> ---",
        "> between",
        "> ---",
        "> below",
    ]


def test_two_sessions_that_hand_over_do_not_take_each_others_place(project: Path) -> None:
    hand_over(project, "--status", "the parser is done", session="w1")
    hand_over(project, "--status", "the lexer is done", session="w2")

    told = another(project, "s1").start()

    assert "the parser is done" in told
    assert "the lexer is done" in told


def test_a_long_handoff_leaves_room_and_says_where_the_rest_is(project: Path) -> None:
    done = [word for number in range(12) for word in ("--done", f"step {number} " + "x" * 300)]
    hand_over(project, "--status", "half done", "--left", "mend it", *done)

    told = another(project, "s1").start()

    assert estimate_tokens(told) <= 600
    assert "- [ ] mend it" in told
    assert "twiceshy handoff --show" in told


def test_a_session_that_goes_on_hears_of_a_handoff_at_its_first_prompt(project: Path) -> None:
    session = another(project, "s1")
    session.start()
    hand_over(project, "--status", "half done")

    quiet, told = session.start("resume"), session.prompt("go on")

    assert quiet == ""
    assert "Status: half done" in told


def test_a_handoff_whose_answer_never_came_out_is_shown_again(project: Path, home: Path) -> None:
    hand_over(project, "--status", "half done")
    killed = another(project, "s1")
    killed.env["TWICESHY_HOOK_WALL_MS"] = "10"  # ends before it has said anything, or after
    said = killed.start()

    told = another(project, "s2").start()

    assert ("half done" in said) is (told == "")
    assert home.exists()
