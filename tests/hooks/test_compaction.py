"""After a compaction, a session is told again only the lessons that it has dealt with."""

from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.hooks.sessions import Session, teach, twiceshy
from tests.requirements import requirement

from twiceshy.core.note import Note

LESSON = "make ship"
WORK = ("make test", "ls", "git status", "cd api && make", "echo remake")
NUMBERS = count()  # every example is a conversation of its own: one is told a lesson once


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@pytest.fixture
def lesson(home: Path, project: Path) -> Note:
    return teach(home, project)


def compact(session: Session) -> str:
    """Let the client compact the conversation, and return what is told then."""
    session.wait(30)
    return session.start("compact")


@requirement("T112")
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(work=st.lists(st.sampled_from(WORK), max_size=4))
def test_a_lesson_is_told_again_only_if_its_program_was_used(
    lesson: Note, project: Path, work: list[str]
) -> None:
    session = Session(project, f"session-{next(NUMBERS)}")
    assert LESSON in session.start()

    session.works(*((command, None) for command in work))

    used = any(command in ("make test", "cd api && make") for command in work)
    assert (LESSON in compact(session)) is used


@requirement("T112")
def test_a_lesson_that_was_not_used_waits_for_its_program(lesson: Note, project: Path) -> None:
    session = Session(project)
    session.start()

    assert compact(session) == ""

    assert LESSON in session.prints("make test", "done")
    assert LESSON in compact(session)  # it was told on an occasion


@requirement("T112")
def test_a_lesson_that_a_failure_met_is_told_again(lesson: Note, project: Path) -> None:
    session = Session(project)
    session.start()
    session.fails("make deploy")

    assert LESSON in compact(session)


@requirement("T112")
def test_rules_and_notes_of_people_are_told_again_and_a_cleared_context_is_told_all(
    lesson: Note, project: Path
) -> None:
    said = "The port of the API is 8081."
    twiceshy(project, "note", said)
    session = Session(project)
    session.start()

    again = compact(session)

    assert (said in again, LESSON in again) == (True, False)
    assert LESSON in session.start("clear")
