"""An endpoint that keeps failing is left alone, by every process, and tried again in time."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.models.breaker import FAILURES, REST, TRIAL, WITHIN, Breaker, Circuit

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NOON = 1_800_000_000.0
WHERE = "ollama 127.0.0.1:11434"


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def process(tmp_path: Path, clock: Clock) -> Callable[[], Breaker]:
    """What another process would make of the same file."""
    return lambda: Breaker(str(tmp_path / "embedder.json"), WHERE, clock=clock)


def fail(breaker: Breaker, times: int = FAILURES) -> None:
    for _ in range(times):
        assert breaker.wait() == 0
        breaker.failed()


def test_three_failures_within_a_minute_begin_a_rest(process: Callable[[], Breaker]) -> None:
    breaker = process()

    fail(breaker)

    assert breaker.wait() == REST


def test_failures_that_lie_apart_begin_none(process: Callable[[], Breaker], clock: Clock) -> None:
    breaker = process()

    for _ in range(FAILURES * 2):
        fail(breaker, 1)
        clock.time += WITHIN / 2

    assert breaker.wait() == 0


def test_successes_between_them_excuse_no_failure(process: Callable[[], Breaker]) -> None:
    breaker = process()

    for _ in range(FAILURES):
        breaker.succeeded()
        fail(breaker, 1)

    assert breaker.wait() == REST


def test_after_the_rest_one_call_may_try_and_the_others_wait(
    process: Callable[[], Breaker], clock: Clock
) -> None:
    fail(process())
    clock.time += REST

    waits = [process().wait() for _ in range(3)]

    assert waits == [0, TRIAL, TRIAL]


def test_a_trial_that_fails_begins_another_rest(
    process: Callable[[], Breaker], clock: Clock
) -> None:
    fail(process())
    clock.time += REST

    fail(process(), 1)

    assert process().wait() == REST


def test_a_trial_that_succeeds_ends_it(process: Callable[[], Breaker], clock: Clock) -> None:
    fail(process())
    clock.time += REST
    trial = process()
    trial.wait()

    trial.succeeded()

    assert [process().wait() for _ in range(3)] == [0, 0, 0]


def test_a_trial_that_never_came_back_is_not_waited_for_for_ever(
    process: Callable[[], Breaker], clock: Clock
) -> None:
    fail(process())
    clock.time += REST
    process().wait()

    clock.time += TRIAL

    assert process().wait() == 0


def test_short_processes_count_together(process: Callable[[], Breaker]) -> None:
    for _ in range(FAILURES):
        fail(process(), 1)

    assert process().wait() == REST


def test_a_real_process_keeps_to_it_as_well(tmp_path: Path) -> None:
    path = str(tmp_path / "embedder.json")
    program = (
        "import sys; from twiceshy.models.breaker import Breaker\n"
        "b = Breaker(*sys.argv[1:]); print(b.wait()); b.failed()"
    )

    waits = [
        float(
            subprocess.run(
                [sys.executable, "-c", program, path, WHERE],
                capture_output=True,
                check=True,
                text=True,
            ).stdout
        )
        for _ in range(FAILURES + 1)
    ]

    assert waits[:FAILURES] == [0] * FAILURES
    assert waits[FAILURES] > REST / 2


def test_another_endpoint_begins_afresh(
    process: Callable[[], Breaker], tmp_path: Path, clock: Clock
) -> None:
    fail(process())

    other = Breaker(str(tmp_path / "embedder.json"), "openai api.openai.com", clock=clock)

    assert other.wait() == 0


def test_only_the_owner_can_read_the_file(process: Callable[[], Breaker], tmp_path: Path) -> None:
    fail(process())

    assert (tmp_path / "embedder.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("home", ["missing/embedder.json", "."])
def test_where_the_file_cannot_be_written_the_process_remembers(
    tmp_path: Path, clock: Clock, home: str
) -> None:
    breaker = Breaker(str(tmp_path / home), WHERE, clock=clock)

    fail(breaker)

    assert breaker.wait() == REST


def test_a_link_in_its_place_is_not_followed(tmp_path: Path, clock: Clock) -> None:
    target = tmp_path / "precious.txt"
    target.write_text("kept")
    (tmp_path / "embedder.json").symlink_to(target)

    fail(Breaker(str(tmp_path / "embedder.json"), WHERE, clock=clock))

    assert target.read_text() == "kept"


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"\xff\xfe",
        b"[" * 5_000,
        b"[]",
        b'{"endpoint":"ollama 127.0.0.1:11434","times":[]}',
        b'{"endpoint":"ollama 127.0.0.1:11434","times":[["x"],0.0,0.0]}',
        b'{"endpoint":"ollama 127.0.0.1:11434","times":[[],"x",0.0]}',
    ],
)
def test_a_damaged_file_is_no_reason_to_wait(
    process: Callable[[], Breaker], tmp_path: Path, damage: bytes
) -> None:
    (tmp_path / "embedder.json").write_bytes(damage)

    fail(process())

    assert process().wait() == REST


def test_a_clock_that_was_set_back_is_no_reason_to_wait(
    process: Callable[[], Breaker], clock: Clock
) -> None:
    fail(process())
    clock.time -= 86_400

    assert process().wait() == 0


def test_a_success_writes_nothing_when_all_is_well(
    process: Callable[[], Breaker], tmp_path: Path
) -> None:
    breaker = process()
    breaker.wait()
    breaker.succeeded()

    assert os.path.getsize(tmp_path / "embedder.json") == 0


@given(st.lists(st.tuples(st.floats(0, 400), st.booleans())))
def test_nobody_ever_waits_longer_than_a_rest(steps: list[tuple[float, bool]]) -> None:
    circuit, now = Circuit(), NOON

    for seconds, works in steps:
        now += seconds
        if circuit.wait(now) == 0:
            circuit = circuit.trial(now)
            circuit = circuit.succeeded() if works else circuit.failed(now)

        assert 0 <= circuit.wait(now) <= REST
