"""A prompt that quotes an error, or names a call that fails, is told what is known about it."""

from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.hooks.sessions import Session, exposures, teach, twiceshy
from tests.requirements import requirement

from twiceshy.core.note import Note

DATABASE = "Start the database with `docker compose up -d pg` first."
REFUSED = "connect ECONNREFUSED 127.0.0.1:5433"
STACK = "Stop the compose stack before the e2e tests."
IN_USE = "They die with: bind 0.0.0.0:5432: address already in use"
LESSON = "make ship"
NUMBERS = count()
SAID = "Please go on with the parser, and keep the tests as they are. "


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@pytest.fixture
def notes(home: Path, project: Path) -> None:
    twiceshy(project, "note", DATABASE, "--why", REFUSED)
    twiceshy(project, "note", STACK, "--why", IN_USE)


@pytest.fixture
def lesson(home: Path, project: Path) -> Note:
    return teach(home, project)


@requirement("T109")
@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("we get ECONNREFUSED 127.0.0.1:5433 again when running the tests", DATABASE),
        ("the tests say econnrefused", ""),
        ("it says address already in use when I start the suite, do you know why", STACK),
        ("write a test for address parsing, it is already in use elsewhere", ""),
        ("what does connect do with 127.0.0.1:5433?", ""),
    ],
)
def test_a_prompt_that_quotes_an_error_gets_the_note_that_quotes_it(
    notes: None, project: Path, prompt: str, told: str
) -> None:
    said = Session(project).prompt(prompt)

    assert (told in said) if told else said == ""


@requirement("T109")
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(before=st.integers(0, 150), after=st.integers(0, 150))
def test_the_error_is_found_wherever_it_stands_in_the_prompt(
    notes: None, project: Path, before: int, after: int
) -> None:
    prompt = f"{SAID * before}We get ECONNREFUSED 127.0.0.1:5433 again. {SAID * after}"

    assert DATABASE in Session(project, f"session-{next(NUMBERS)}").prompt(prompt)


@requirement("T109")
@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("It stops with No rule to make target 'deploy' (see 'ship'). What now?", True),
        ("There is no rule to make a target for sales, or is there?", False),
    ],
)
def test_a_prompt_with_most_of_the_error_of_a_lesson_gets_the_lesson(
    home: Path, project: Path, prompt: str, told: bool
) -> None:
    teacher = Session(project, "teacher")
    error = "Exit code 2\nmake: *** No rule to make target 'deploy' (see 'ship').  Stop."
    teacher.works(("make deploy", error), (LESSON, None))
    twiceshy(project, "distill", "--transcript", str(teacher.transcript))

    assert ("use `ship`" in Session(project).prompt(prompt)) is told


@requirement("T110")
def test_a_lesson_is_told_at_the_prompt_that_names_its_call_and_once(
    lesson: Note, home: Path, project: Path
) -> None:
    session = Session(project)

    said = [session.prompt(text) for text in ("make it fast", "run make deploy and tell me")]

    assert [LESSON in text for text in said] == [False, True]
    assert session.prompt("once more: make deploy") == ""
    [shown] = [one for one in exposures(home) if one.note == lesson.id]
    assert shown.channel == "prompt"
    assert "at a prompt" in twiceshy(project, "why", lesson.id)


@requirement("T110")
def test_what_the_start_told_is_not_told_again_at_the_prompt(lesson: Note, project: Path) -> None:
    session = Session(project)

    assert LESSON in session.start()
    assert session.prompt("run make deploy and tell me") == ""


@requirement("T110")
@pytest.mark.parametrize("price", ["telling.session_tokens", "telling.turn_tokens"])
def test_a_lesson_that_does_not_pay_is_not_told_at_the_prompt(
    lesson: Note, project: Path, price: str
) -> None:
    session = Session(project)
    session.env = {f"TWICESHY_{price.replace('.', '_').upper()}": "1"}

    assert session.prompt("run make deploy and tell me") == ""


@requirement("T110")
def test_a_call_that_works_by_now_is_no_mistake_for_a_prompt_to_invite(
    lesson: Note, project: Path
) -> None:
    for number in range(6):
        worker = Session(project, f"worker-{number}")
        worker.works(("make deploy", None))
        twiceshy(project, "distill", "--transcript", str(worker.transcript))

    assert Session(project).prompt("run make deploy and tell me") == ""
