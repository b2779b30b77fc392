"""Find Pi transcripts: a file per session, named by time and id.

With a custom session folder, every file lies directly in it.
"""

from __future__ import annotations

import os

from twiceshy.core.errors import UnsafeNameError
from twiceshy.runtimes.jsonl import first_records, folders, plain_files, text_at, written_at
from twiceshy.runtimes.opening import Opening
from twiceshy.safety.names import session_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

_SUFFIX = ".jsonl"
_STAMP = len("2026-11-15T07-01-34-075Z")


def wrote(path: str) -> bool:
    """True if a path is a Pi transcript, by its time stamp."""
    stamp, between, rest = _parts(os.path.basename(path))
    plain = stamp[:10].replace("-", "").isdecimal() and stamp[10:11] == "T" and stamp[-1:] == "Z"
    return plain and between == "_" and rest.endswith(_SUFFIX)


def everywhere(folder: str) -> list[str]:
    """Return every transcript, oldest session first."""
    began = [(opening_of(path).at, written_at(path), path) for path in _files(folder)]
    return [path for *_, path in sorted(began)]


def transcript_of(session: str, folder: str) -> str:
    """Return the transcript of a session; empty if none or ambiguous."""
    session_name(session)
    found = [path for path in _files(folder) if session_of(path) == session]
    own = [path for path in found if opening_of(path).sessions in (frozenset(), {session})]
    return own[0] if len(own) == 1 else ""


def parts_of(path: str) -> list[str]:
    """Return a session's transcript: Pi has no sub-agents."""
    return [path]


def session_of(path: str) -> str:
    """Return the session named by a transcript."""
    name = os.path.basename(path)
    named = _parts(name)[2] if wrote(path) else name
    return as_key(named.removesuffix(_SUFFIX))


def opening_of(path: str) -> Opening:
    """Read start directory and time of a session."""
    record = next(first_records(path), {})
    if record.get("type") != "session":
        return Opening(frozenset(), "", "")
    session = as_key(text_at(record, "id"))
    sessions = frozenset({session}) if session else frozenset()
    return Opening(sessions, text_at(record, "cwd"), text_at(record, "timestamp"))


def as_key(session: str) -> str:
    """Return a session id as sent by our extension: users choose ids, even with dots."""
    return session.replace(".", "_")


def _parts(name: str) -> tuple[str, str, str]:
    return name[:_STAMP], name[_STAMP : _STAMP + 1], name[_STAMP + 1 :]


def _files(folder: str) -> Iterator[str]:
    for place in (folder, *folders(folder)):
        for name in plain_files(place):
            path = os.path.join(place, name)
            if wrote(path) and _is_session(session_of(path)):
                yield path


def _is_session(text: str) -> bool:
    try:
        return bool(session_name(text))
    except UnsafeNameError:
        return False
