"""A lesson is told in full once a conversation, whatever the channels, and every showing counts."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.hooks.attack import held as store_is_held
from tests.hooks.conftest import a_skill
from tests.hooks.sessions import (
    MORNING,
    TEXT,
    Session,
    exposures,
    project_of,
    store_of,
    teach,
    twiceshy,
)
from tests.requirements import requirement

from twiceshy.core.moment import parse_stamp
from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.effect.holdout import is_withheld

FULL = "`make deploy` fails"  # what a repetition in few words leaves out


def load(session: Session) -> str:
    """Invoke the skill that the lesson is about."""
    call = session.call("Skill", skill="release", args="")
    return session.told("PostToolUse", **call, tool_response={"commandName": "release"})


CHANNELS: dict[str, Callable[[Session], str]] = {
    "start": lambda session: session.start(),
    "skill": load,
    "failure": lambda session: session.fails("make deploy"),
}
ORDERS = [["start", "skill"], ["skill", "start"], ["failure", "skill"], ["skill", "failure"]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    a_skill(folder / ".claude/skills/release")
    return folder


@pytest.fixture
def lesson(home: Path, project: Path) -> Note:
    """A lesson of two sessions about a skill of the project, worth telling at every start."""
    scope = Scope(project_of(project), "release")
    teach(home, project, scope=scope)
    note = teach(home, project, scope=scope, origin_session="another")
    with store_of(home) as store, store.change():
        store.record_evidence(note.id, "call:1", "earlier", at=parse_stamp(MORNING), unseen=True)
    Session(project, "first").start()  # so that every session finds its project
    return note


def count_full_texts(session: Session, channels: list[str]) -> int:
    return sum(FULL in CHANNELS[channel](session) for channel in channels)


@requirement("T101")
@pytest.mark.parametrize("channels", ORDERS, ids=" then ".join)
def test_a_lesson_is_told_once_whichever_channel_comes_first(
    channels: list[str], lesson: Note, project: Path
) -> None:
    assert count_full_texts(Session(project), channels) == 1


@requirement("T101")
@pytest.mark.parametrize("channels", ORDERS, ids=" then ".join)
def test_a_lesson_is_told_once_while_the_store_is_held(
    channels: list[str], lesson: Note, home: Path, project: Path
) -> None:
    session = Session(project)

    with store_is_held(home):
        told = count_full_texts(session, channels)

    assert told == 1


@requirement("T101")
def test_after_a_compaction_a_lesson_is_told_again_once(lesson: Note, project: Path) -> None:
    session = Session(project)
    assert FULL in session.start()
    load(session)

    again = session.start("compact")

    assert again.count(FULL) == 1


@requirement("T101", "T102")
@given(
    channels=st.lists(st.tuples(st.sampled_from(sorted(CHANNELS)), st.booleans()), min_size=1),
    name=st.uuids(),
)
@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_order_of_channels_and_locks_tells_twice_or_loses_a_count(
    channels: list[tuple[str, bool]], name: object, lesson: Note, home: Path, project: Path
) -> None:
    session = Session(project, str(name))
    before = count_shown(project, lesson)
    told = 0
    for channel, is_held in channels[:4]:
        if is_held:
            with store_is_held(home):
                told += count_full_texts(session, [channel])
        else:
            told += count_full_texts(session, [channel])

    assert told == 1
    session.prompt("go on")  # the next writer takes in what waits
    shown = [each for each in exposures(home, session.name) if each.note == lesson.id]
    assert count_shown(project, lesson) - before == len(shown)


def count_shown(project: Path, note: Note) -> int:
    [shown] = json.loads(twiceshy(project, "show", note.handle, "--json"))
    return int(shown["recalls"])


@requirement("T102")
def test_a_showing_that_had_to_wait_is_counted_once(
    lesson: Note, home: Path, project: Path
) -> None:
    with store_is_held(home):
        assert TEXT[:14] in Session(project).start()
    for name in ("session-2", "session-3"):
        assert FULL in Session(project, name).start()

    said = twiceshy(project, "why", lesson.handle)

    assert "shown:      4 times\n" in said  # with the first session
    assert said.count("was shown:") == 4


def test_why_names_showings_that_leave_no_line_here(lesson: Note, project: Path) -> None:
    Session(project).start()
    twiceshy(project, "inject", "--skill", "release")  # counted, and no session is told

    said = twiceshy(project, "why", lesson.handle)

    everywhere = "3 times by hooks, commands, tools and other devices (twice on record here)"
    assert f"shown:      {everywhere}\n" in said
    assert said.count("was shown:") == 2


@requirement("T102")
def test_why_counts_withheld_showings_apart_and_says_how_many_lines_are_left_out(
    home: Path, project: Path, lesson: Note
) -> None:
    names = [f"session-{number}" for number in range(40)]
    withheld = next(name for name in names if is_withheld(name, lesson.id, 100))
    told = [name for name in names if not is_withheld(name, lesson.id, 100)][:5]
    for name in (*told, withheld):
        session = Session(project, name)
        session.env = {"TWICESHY_HOLDOUT_WEEKLY": "0", "TWICESHY_HOLDOUT_SHARE": "0.1"}
        session.start()

    said = twiceshy(project, "why", lesson.handle)
    showings = json.loads(twiceshy(project, "why", lesson.handle, "--json"))["learned"]

    assert "shown:      6 times (withheld once; the newest 5 of 7 are below)\n" in said
    assert showings["showings"] == {"told": 6, "withheld": 1}
    assert said.count("was shown:") == len(showings["shown"]) == 5
