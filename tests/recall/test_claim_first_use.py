"""Claiming the first use of a program, by several processes at the same time."""

import json
from multiprocessing import get_context
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Barrier
from pathlib import Path

from tests.requirements import requirement

from twiceshy.recall.claim_first_use import claim_first_use

PROCESSES, ROUNDS = 4, 60


def result(command: str) -> bytes:
    """Return the event of a shell command that worked."""
    return json.dumps({"tool_input": {"command": command}}, separators=(",", ":")).encode()


def claim_in_rounds(folder: str, start: Barrier) -> list[int]:
    """Claim the program of every round at the same time as the others; return the rounds won."""
    won = []
    for number in range(ROUNDS):
        start.wait()
        if claim_first_use(result("make test"), f"{folder}/{number}.first".encode()):
            won.append(number)
    return won


def claim_all(folder: str, start: Barrier, answers: SimpleQueue[list[int]]) -> None:
    answers.put(claim_in_rounds(folder, start))


@requirement("T96")
def test_of_processes_at_the_same_time_one_claims_a_program(tmp_path: Path) -> None:
    for number in range(ROUNDS):
        (tmp_path / f"{number}.first").write_text("go\nmake\nuv\n")
    fork = get_context("fork")
    start, answers = fork.Barrier(PROCESSES), fork.SimpleQueue()
    workers = [
        fork.Process(target=claim_all, args=(str(tmp_path), start, answers))
        for _ in range(PROCESSES)
    ]
    for each in workers:
        each.start()
    won = sorted(number for _ in workers for number in answers.get())
    for each in workers:
        each.join()

    assert won == list(range(ROUNDS))
    left = list(tmp_path.glob("*.first*"))
    assert len(left) == ROUNDS
    assert {path.read_text() for path in left} == {"go\nuv\n"}


@requirement("T96")
def test_what_is_no_program_of_a_command_is_not_claimed(tmp_path: Path) -> None:
    path = tmp_path / "a.first"
    path.write_text("make\n")

    for command in ("ls", "remake it", "cat makefile", ""):
        assert not claim_first_use(result(command), bytes(path))
    assert not claim_first_use(result("make"), bytes(tmp_path / "none.first"))

    assert path.read_text() == "make\n"
    assert claim_first_use(result("cd x && ./bin/make -j2"), bytes(path))
    assert not claim_first_use(result("make"), bytes(path))
