"""First use of a program in a session: a lesson that waited for it is told with its result."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.hooks.sessions import (
    Session,
    exposures,
    learning,
    project_of,
    store_of,
    teach,
    twiceshy,
)
from tests.requirements import requirement

from twiceshy.core.note import Note
from twiceshy.core.scope import EVERYWHERE

LESSON = "make ship"
COMMANDS = (
    *("make test", "cd src && make -j2", "FOO=1 make", "ls\nmake"),
    *("ls", "echo remake", "cat makefile", 'grep "make" src', "cmake ."),
)
QUIET_SESSIONS = 20


@pytest.fixture
def lesson(home: Path, project: Path) -> Note:
    """A lesson about a program that sessions rarely use: no start tells it."""
    note = teach(home, project)
    with store_of(home) as store:
        for number in range(QUIET_SESSIONS):
            store.register_calls([], f"quiet-{number}", project=project_of(project))
    return note


def uses_make(command: str) -> bool:
    """True if a shell runs ``make`` for a command."""
    return command in COMMANDS[:4]


@requirement("T96")
def test_the_lesson_about_a_program_is_told_with_its_first_result(
    lesson: Note, home: Path, project: Path
) -> None:
    session = Session(project)
    assert LESSON not in session.start()

    told = [session.prints(command, "done") for command in ("ls", "make test", "make lint")]

    assert [LESSON in text for text in told] == [False, True, False]
    [shown] = [one for one in exposures(home) if one.note == lesson.id]
    assert (shown.channel, shown.withheld) == ("use", False)
    assert "at the first use of its program" in twiceshy(project, "why", lesson.id)
    assert LESSON in Session(project, "another").fails("make deploy")


@requirement("T96")
def test_a_program_that_every_session_uses_is_not_worth_a_lesson_that_no_start_is(
    lesson: Note, home: Path, project: Path
) -> None:
    with store_of(home) as store:
        for number in range(QUIET_SESSIONS):
            store.register_calls([], f"busy-{number}", project=project_of(project))
            store.mark_programs(["make"], project=project_of(project))
    session = Session(project)
    session.start()

    assert session.prints("make test", "done") == ""


@requirement("T96")
def test_a_session_learns_which_programs_were_used(
    lesson: Note, home: Path, project: Path
) -> None:
    worker = Session(project, "worker")
    worker.start()
    worker.works(("make test", None), ("ls", None))
    with learning(worker) as learner:
        worker.told("SessionEnd", reason="other")
        assert learner.ended()

    with store_of(home) as store:
        [match] = store.match_triggers((project_of(project), EVERYWHERE), which="learned")
    assert (match.program, match.uses, match.note.id) == ("make", 1, lesson.id)


@requirement("T96")
@pytest.mark.parametrize("price", ["telling.session_tokens", "telling.turn_tokens"])
def test_nothing_is_told_that_the_prices_forbid(price: str, lesson: Note, project: Path) -> None:
    session = Session(project)
    session.env = {f"TWICESHY_{price.replace('.', '_').upper()}": "1"}
    session.start()

    assert session.prints("make test", "done") == ""


@requirement("T96")
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(number=st.integers(0, 10**6), commands=st.lists(st.sampled_from(COMMANDS), max_size=5))
def test_the_lesson_is_told_once_and_only_with_a_call_of_its_program(
    number: int, commands: list[str], lesson: Note, project: Path
) -> None:
    session = Session(project, f"session-{number}")
    session.start()

    told = [LESSON in session.prints(command, "done") for command in commands]

    first = next((at for at, command in enumerate(commands) if uses_make(command)), None)
    assert [at for at, one in enumerate(told) if one] in ([], [first])
    looked_like_one = any("make" in each for each in commands[:first])
    assert any(told) == (first is not None) or looked_like_one


@requirement("T96")
def test_the_lesson_of_another_project_waits_for_nobody(
    lesson: Note, home: Path, project: Path, tmp_path: Path
) -> None:
    other = tmp_path / "elsewhere"
    other.mkdir()
    told = []
    for folder in (other, project):
        session = Session(folder, f"in-{folder.name}")
        session.start()
        told.append(LESSON in session.prints("make test", "done"))

    assert told == [False, True]


@requirement("T96")
def test_of_calls_that_end_at_the_same_time_one_is_told(
    lesson: Note, home: Path, project: Path
) -> None:
    sessions = [Session(project) for _ in range(6)]  # one conversation, six processes
    sessions[0].start()

    with ThreadPoolExecutor(len(sessions)) as pool:
        told = list(pool.map(lambda each: each.prints("make test", "done"), sessions))

    assert [LESSON in text for text in told].count(True) == 1
    assert [shown.channel for shown in exposures(home)].count("use") == 1
