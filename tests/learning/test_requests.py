"""Requests to learn: however hooks and jobs meet, each is served, by one job at a time."""

from __future__ import annotations

import os
from collections import deque
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from tests.requirements import requirement

from twiceshy.learning.requests import (
    MOST_TRIES,
    LearningRequest,
    RequestQueue,
    list_set_aside,
    serve_until_empty,
)
from twiceshy.recall.background import FOLDER, leave_request, take_queue

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SESSIONS = ("a", "b", "c")


class Crowd:
    """Hooks that arrive at every point of a job's work, as a plan says, and jobs that they start."""

    def __init__(self, home: Path, plan: Sequence[Sequence[str]]) -> None:
        self._folder = os.fsencode(home / FOLDER / "0000")
        self._plan = deque(plan)
        self._working = False
        self.asked: list[str] = []
        self.served: list[str] = []

    def pass_point(self) -> None:
        """Let the next hooks of the plan arrive."""
        for session in self._plan.popleft() if self._plan else ():
            self.fire_hook(session)

    def fire_hook(self, session: str) -> None:
        self.asked.append(session)
        leave_request(self._folder, session, over=True)
        lock = take_queue(self._folder)
        if lock >= 0:
            serve_until_empty(WatchedQueue(os.fsdecode(self._folder), self), lock, self.work_off)

    def work_off(self, queue: RequestQueue) -> bool:
        assert not self._working
        self._working = True
        self.pass_point()
        while request := queue.claim_next():
            self.pass_point()
            self.served.append(request.session)
            queue.finish(request)
            self.pass_point()
        self._working = False
        return True


class WatchedQueue(RequestQueue):
    """A queue at whose release hooks arrive."""

    def __init__(self, folder: str, crowd: Crowd) -> None:
        super().__init__(folder)
        self._crowd = crowd

    def is_waiting(self) -> bool:
        self._crowd.pass_point()
        return super().is_waiting()


@requirement("B01")
@given(plan=st.lists(st.lists(st.sampled_from(SESSIONS), max_size=2), max_size=12))
def test_no_request_is_ever_left_behind_and_no_two_jobs_work_at_once(
    plan: list[list[str]], tmp_path_factory: object
) -> None:
    home = tmp_path_factory.mktemp("home")  # type: ignore[attr-defined]  # pytest has no public name for it
    crowd = Crowd(home, plan)

    for _ in range(len(plan) + 1):
        crowd.pass_point()

    queue = RequestQueue(str(home / FOLDER / "0000"))
    assert not queue.is_waiting()
    assert set(crowd.served) == set(crowd.asked)
    assert len(crowd.served) <= len(crowd.asked)


def a_queue(home: Path) -> RequestQueue:
    folder = home / FOLDER / "0000"
    folder.mkdir(parents=True, exist_ok=True)
    return RequestQueue(str(folder))


def claim(home: Path) -> LearningRequest | None:
    """Claim a request as the next job does."""
    return a_queue(home).claim_next()


def ask(home: Path, session: str, *, over: bool) -> None:
    leave_request(os.fsencode(home / FOLDER / "0000"), session, over=over)


@requirement("B02")
@given(fails=st.lists(st.booleans(), max_size=6))
def test_a_request_is_tried_three_times_at_most_killed_or_failed(
    fails: list[bool], tmp_path_factory: object
) -> None:
    home = tmp_path_factory.mktemp("home")  # type: ignore[attr-defined]  # pytest has no public name for it
    ask(home, "a", over=True)

    tries = 0
    for fails_itself in fails:
        queue = a_queue(home)
        if request := queue.claim_next():
            tries += 1
            if fails_itself:  # otherwise its job is killed
                queue.give_up(request)

    assert tries == min(len(fails), MOST_TRIES)
    assert (claim(home) is None) is (len(fails) >= MOST_TRIES)
    gone = [one.session for one in list_set_aside(str(home))]
    assert gone == (["a"] if len(fails) >= MOST_TRIES else [])


def test_the_end_of_a_session_and_of_its_turns_are_one_request(tmp_path: Path) -> None:
    ask(tmp_path, "a", over=False)
    ask(tmp_path, "a", over=True)

    queue = a_queue(tmp_path)
    claimed = queue.claim_next()

    assert claimed is not None
    assert (claimed.session, claimed.over, claimed.tries) == ("a", True, 1)
    assert queue.claim_next() is not None  # it was neither finished nor given up
    queue.finish(claimed.but(path=f"{tmp_path}/{FOLDER}/0000/a.over.2"))
    assert queue.claim_next() is None


def test_the_oldest_request_is_served_first(tmp_path: Path) -> None:
    for place, session in enumerate(("c", "a", "b")):
        ask(tmp_path, session, over=True)
        os.utime(tmp_path / FOLDER / "0000" / f"{session}.over", (place, place))

    queue = a_queue(tmp_path)
    order = []
    while request := queue.claim_next():
        order.append(request.session)
        queue.finish(request)

    assert order == ["c", "a", "b"]


def test_a_request_that_was_put_back_has_lost_no_try(tmp_path: Path) -> None:
    ask(tmp_path, "a", over=True)
    for _ in range(MOST_TRIES + 1):
        queue = a_queue(tmp_path)
        request = queue.claim_next()
        assert request is not None
        queue.put_back(request)  # the store could not be written
        assert queue.claim_next() is None

    assert list_set_aside(str(tmp_path)) == []


def test_other_files_in_a_queue_are_left_alone(tmp_path: Path) -> None:
    queue = a_queue(tmp_path)
    names = ("lock", "a.over.12", "a.b", "-.over", "a.turn.x", ".over")
    for name in names:
        (tmp_path / FOLDER / "0000" / name).touch()
    (tmp_path / FOLDER / "0000" / "b.over").mkdir()

    assert queue.claim_next() is None
    assert {path.name for path in (tmp_path / FOLDER / "0000").iterdir()} == {*names, "b.over"}
