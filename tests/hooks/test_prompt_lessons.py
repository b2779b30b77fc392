"""A prompt that quotes an error is told what is known about it."""

from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.hooks.sessions import Session, twiceshy
from tests.requirements import requirement

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
        ("It stops with No rule to make target 'deploy'. Stop. What now?", True),
        ("There is no rule to make a target for sales, or is there?", False),
    ],
)
def test_a_prompt_with_most_of_the_error_of_a_lesson_gets_the_lesson(
    home: Path, project: Path, prompt: str, told: bool
) -> None:
    teacher = Session(project, "teacher")
    error = "Exit code 2\nmake: *** No rule to make target 'deploy'.  Stop."
    teacher.works(("make deploy", error), (LESSON, None))
    twiceshy(project, "distill", "--transcript", str(teacher.transcript))

    assert ("use `ship`" in Session(project).prompt(prompt)) is told
