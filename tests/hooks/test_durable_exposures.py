"""What an agent is told is on disk before it is printed, or it is not told."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.hooks.attack import held as store_is_held
from tests.hooks.conftest import a_skill
from tests.hooks.sessions import MORNING, Session, exposures, project_of, state, store_of, teach
from tests.requirements import requirement

from twiceshy.core.moment import parse_stamp
from twiceshy.core.note import Note
from twiceshy.core.scope import Scope

SAID = "make ship"


def load(session: Session) -> str:
    """Invoke the skill that the lesson is about."""
    call = session.call("Skill", skill="release", args="")
    return session.told("PostToolUse", **call, tool_response={"commandName": "release"})


CHANNELS: dict[str, Callable[[Session], str]] = {
    "start": lambda session: session.start(),
    "skill": load,
    "call": lambda session: session.calls("make deploy"),
    "failure": lambda session: session.fails("make deploy"),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    a_skill(folder / ".claude/skills/release")
    return folder


@pytest.fixture
def lesson(channel: str, home: Path, project: Path) -> Note:
    """A lesson that a channel tells; at a pending call a person's note is told."""
    scope = Scope(project_of(project), "release")
    teach(home, project, scope=scope)
    note = teach(home, project, scope=scope, origin_session="another")
    with store_of(home) as store, store.change():
        store.record_evidence(note.id, "call:1", "earlier", at=parse_stamp(MORNING), unseen=True)
    if channel == "call":
        note = state(home, project, scope=scope)
    Session(project, "first").start()  # so that every session finds its project
    return note


def told_on_record(home: Path, note: Note, session: str) -> list[str]:
    return [each.channel for each in exposures(home, session) if each.note == note.id]


@requirement("T43")
@pytest.mark.parametrize("channel", CHANNELS)
def test_while_the_store_is_busy_what_is_told_is_on_record_all_the_same(
    channel: str, lesson: Note, home: Path, project: Path
) -> None:
    session = Session(project)

    with store_is_held(home):
        told = CHANNELS[channel](session)

    assert SAID in told
    with store_of(home) as store, store.change():
        pass  # the next writer takes in what waits
    assert told_on_record(home, lesson, session.name) == [channel]


@requirement("T43")
@pytest.mark.parametrize("channel", CHANNELS)
def test_what_cannot_be_recorded_anywhere_is_not_told(
    channel: str, lesson: Note, home: Path, project: Path
) -> None:
    session = Session(project)
    (home / "spool").mkdir()  # a folder where the file would be: nothing can be written

    with store_is_held(home):
        told = CHANNELS[channel](session)

    assert SAID not in told
    (home / "spool").rmdir()
    assert told_on_record(home, lesson, session.name) == []
    assert SAID in CHANNELS[channel](Session(project, "another"))
