"""Find sessions in OpenCode's database."""

from __future__ import annotations

import os

from twiceshy.core.errors import NotFoundError, TwiceshyError
from twiceshy.core.moment import stamp
from twiceshy.runtimes.jsonl import plain_files
from twiceshy.runtimes.opencode.places import is_database, named, parted
from twiceshy.runtimes.opencode.storage import opened
from twiceshy.runtimes.opening import Opening
from twiceshy.safety.names import session_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_AGENTS = 1_000  # of one session


def everywhere(folder: str) -> list[str]:
    """Return user sessions, oldest first per database."""
    return [
        named(database, session)
        for database in _databases(folder)
        for session in _started(database, "")
        if _is_name(session)
    ]


def transcript_of(session: str, folder: str) -> str:
    """Return the transcript of a session; empty if none or ambiguous."""
    session_name(session)
    places = (named(database, session) for database in _databases(folder))
    return next((place for place in places if size_of(place) >= 0), "")


def parts_of(path: str) -> list[str]:
    """Return a session and the sessions of its agents, recursively."""
    database, first = parted(path)
    found = [first]
    for session in found:
        new = [one for one in _started(database, session) if one not in found and _is_name(one)]
        found += new[: max(0, _MOST_AGENTS - len(found))]
    return [named(database, session) for session in found]


def session_of(path: str) -> str:
    """Return the session named by a transcript."""
    return parted(path)[1]


def opening_of(path: str) -> Opening:
    """Read start directory and time of a session, and its root session."""
    try:
        with opened(path) as storage:
            session = storage.session(session_of(path))
            if session is None:
                return Opening(frozenset(), "", "")
            return Opening(
                frozenset((storage.root(session),)), session.directory, _stamp(session.at)
            )
    except NotFoundError:
        return Opening(frozenset(), "", "")


def size_of(path: str) -> int:
    """Return the current size of a session in position units; -1 if gone."""
    try:
        with opened(path) as storage:
            name = session_of(path)
            return storage.size(name) if storage.session(name) else -1
    except NotFoundError:
        return -1


def _databases(folder: str) -> Iterator[str]:
    for name in plain_files(folder, ".db"):
        if is_database(name):
            yield os.path.join(folder, name)


def _started(database: str, session: str) -> list[str]:
    try:
        with opened(named(database, session)) as storage:
            return storage.sessions(session)
    except NotFoundError:
        return []


def _is_name(session: str) -> bool:
    try:
        return bool(session_name(session))
    except TwiceshyError:
        return False


def _stamp(at: int) -> str:
    return stamp(at) if 0 < at < 1 << 47 else ""
