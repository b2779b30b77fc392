"""Requests of hooks to learn from sessions: claimed one by one, tried three times, then set aside.

The name of a claimed request tells how often it was tried. So a job that is killed leaves its request to
the next job, and a session that ends every job is not tried for ever.
"""

from __future__ import annotations

import os
from contextlib import suppress

from twiceshy.core.value import Value
from twiceshy.recall.background import FOLDER, LOCK, OVER, TURN, take_queue
from twiceshy.runtimes.transcript_files import is_session_id

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

MOST_TRIES = 3
_FAILED = "failed"
_QUIET_S = 10 * 60  # a job with these secrets would have begun by then
_DAY_S = 24 * 60 * 60


class LearningRequest(Value):
    """A request for learning from a session; ``over`` if the session has ended."""

    session: str
    over: bool
    tries: int  # with this one; more than allowed once it is set aside
    path: str
    at: int  # nanoseconds


class RequestQueue:
    """The requests of hooks with the same secrets, for the job that holds their lock."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._failed: set[str] = set()  # sessions that are left to the next job

    def claim_next(self) -> LearningRequest | None:
        """Claim the oldest request, which counts as a try; None if there is none."""
        while waiting := self._list_waiting():
            session = waiting[0].session
            found = [one for one in _list_requests(self.folder) if one.session == session]
            claimed = self._claim(found)
            if claimed.tries <= MOST_TRIES:
                return claimed
        return None

    def is_waiting(self) -> bool:
        """True if there is a request that was not tried by this job."""
        return bool(self._list_waiting())

    def finish(self, request: LearningRequest) -> None:
        """Remove a request that was served, and what was set aside of its session."""
        _remove(request.path)
        for suffix in (TURN, OVER):
            _remove(self._locate(request.session, suffix, _FAILED))

    def give_up(self, request: LearningRequest) -> None:
        """Leave a request that failed to the next job, or set it aside after the last try."""
        self._failed.add(request.session)
        if request.tries >= MOST_TRIES:
            self._set_aside(request)

    def put_back(self, request: LearningRequest) -> None:
        """Leave a request to the next job as if it had not been tried."""
        self._failed.add(request.session)
        tries = str(request.tries - 1) if request.tries > 1 else ""
        with suppress(FileNotFoundError):
            os.rename(request.path, self._locate(request.session, _suffix(request), tries))

    def _claim(self, found: list[LearningRequest]) -> LearningRequest:
        """Make one claimed request of all requests of a session, or set them aside."""
        waiting = [one for one in found if one.tries <= MOST_TRIES]
        tries = max(one.tries for one in waiting) + 1
        if tries == 1 and len(waiting) < len(found):
            tries = MOST_TRIES  # it was set aside before
        if tries > MOST_TRIES:  # the last try was killed
            for one in waiting:
                self._set_aside(one)
            return waiting[0].but(tries=tries)
        chosen = max(waiting, key=lambda one: (one.over, one.tries))
        path = self._locate(chosen.session, _suffix(chosen), str(tries))
        os.rename(chosen.path, path)
        for one in waiting:
            if one.path not in (chosen.path, path):
                _remove(one.path)
        return chosen.but(path=path, tries=tries)

    def _set_aside(self, request: LearningRequest) -> None:
        with suppress(FileNotFoundError):
            os.rename(request.path, self._locate(request.session, _suffix(request), _FAILED))

    def _list_waiting(self) -> list[LearningRequest]:
        """Return the requests that this job has not tried, oldest first."""
        found = (
            one
            for one in _list_requests(self.folder)
            if one.tries <= MOST_TRIES and one.session not in self._failed
        )
        return sorted(found, key=lambda one: (one.at, one.session))

    def _locate(self, session: str, suffix: str, state: str) -> str:
        name = f"{session}{suffix}.{state}" if state else f"{session}{suffix}"
        return os.path.join(self.folder, name)


def serve_until_empty(
    queue: RequestQueue, lock: int, work_off: Callable[[RequestQueue], bool]
) -> None:
    """Work off a queue whose ``lock`` is held until no request is left behind the release of the lock.

    A hook leaves its request before it looks at the lock, so either the hook finds the lock free and
    starts a job, or this job finds the request. ``work_off`` returns False to leave the rest.
    """
    while lock >= 0:
        try:
            goes_on = work_off(queue)
        finally:
            os.close(lock)
        if not (goes_on and queue.is_waiting()):
            return
        lock = take_queue(os.fsencode(queue.folder))


def list_left_queues(home: str, *, own: str, now_s: float) -> list[str]:
    """Return other queues with requests that no job took; remove queues that nobody uses."""
    found = []
    for folder in _list_queues(home):
        if os.path.basename(folder) == os.path.basename(own):
            continue
        waiting = [one for one in _list_requests(folder) if one.tries <= MOST_TRIES]
        if any(now_s - one.at / 1e9 > _QUIET_S for one in waiting):
            found.append(folder)
        elif not waiting and now_s - os.stat(folder).st_mtime > _DAY_S:
            _remove_queue(folder)
    return found


def list_set_aside(home: str) -> list[LearningRequest]:
    """Return the requests that failed too often, oldest first."""
    found = (one for folder in _list_queues(home) for one in _list_requests(folder))
    return sorted((one for one in found if one.tries > MOST_TRIES), key=lambda one: one.at)


def forget_set_aside(home: str, sessions: Collection[str]) -> None:
    """Remove what was set aside of sessions that were learned from after all."""
    for one in list_set_aside(home):
        if one.session in sessions:
            _remove(one.path)


def _list_queues(home: str) -> Iterator[str]:
    with (
        suppress(FileNotFoundError, NotADirectoryError),
        os.scandir(os.path.join(home, FOLDER)) as found,
    ):
        yield from [one.path for one in found if one.is_dir(follow_symlinks=False)]


def _list_requests(folder: str) -> list[LearningRequest]:
    try:
        with os.scandir(folder) as found:
            return [each for one in found if (each := _parse_request(one))]
    except FileNotFoundError:
        return []


def _parse_request(entry: os.DirEntry[str]) -> LearningRequest | None:
    """Read a request from the name of its file; None for other files."""
    session, _, rest = entry.name.partition(".")
    kind, _, state = rest.partition(".")
    is_number = state.isdecimal() and len(state) == 1
    if f".{kind}" not in (TURN, OVER) or not (not state or is_number or state == _FAILED):
        return None
    try:
        if not is_session_id(session) or not entry.is_file(follow_symlinks=False):
            return None
        at = entry.stat(follow_symlinks=False).st_mtime_ns
    except FileNotFoundError:
        return None  # served a moment ago
    tries = MOST_TRIES + 1 if state == _FAILED else int(state or 0)
    return LearningRequest(session, f".{kind}" == OVER, tries, entry.path, at)


def _suffix(request: LearningRequest) -> str:
    return OVER if request.over else TURN


def _remove(path: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)


def _remove_queue(folder: str) -> None:
    """Remove a queue without requests; what a hook leaves there at this moment keeps it."""
    if _list_requests(folder):
        return
    with suppress(OSError):
        _remove(os.path.join(folder, LOCK))
        os.rmdir(folder)
