"""Find Pi transcripts: a file per session, named by time and id.

With a custom session folder, every file lies directly in it.
"""

from __future__ import annotations

import os

from twiceshy.core.errors import UnsafeNameError
from twiceshy.runtimes.jsonl import (
    get_text,
    list_folders,
    list_plain_files,
    modified_at,
    read_first_records,
)
from twiceshy.runtimes.transcript_opening import TranscriptOpening
from twiceshy.safety.names import check_session_id

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

_SUFFIX = ".jsonl"
_STAMP = len("2026-11-15T07-01-34-075Z")


def owns_transcript(path: str) -> bool:
    """True if a path is a Pi transcript, by its time stamp."""
    stamp, between, rest = _split_name(os.path.basename(path))
    plain = stamp[:10].replace("-", "").isdecimal() and stamp[10:11] == "T" and stamp[-1:] == "Z"
    return plain and between == "_" and rest.endswith(_SUFFIX)


def list_transcripts(folder: str) -> list[str]:
    """Return every transcript, oldest session first."""
    began = [(read_opening(path).at, modified_at(path), path) for path in _list_files(folder)]
    return [path for *_, path in sorted(began)]


def find_transcript(session: str, folder: str) -> str:
    """Return the transcript of a session; empty if none or ambiguous."""
    check_session_id(session)
    found = [path for path in _list_files(folder) if session_of_path(path) == session]
    own = [path for path in found if read_opening(path).sessions in (frozenset(), {session})]
    return own[0] if len(own) == 1 else ""


def list_session_parts(path: str) -> list[str]:
    """Return a session's transcript: Pi has no sub-agents."""
    return [path]


def session_of_path(path: str) -> str:
    """Return the session named by a transcript."""
    name = os.path.basename(path)
    named = _split_name(name)[2] if owns_transcript(path) else name
    return session_key(named.removesuffix(_SUFFIX))


def read_opening(path: str) -> TranscriptOpening:
    """Read start directory and time of a session."""
    record = next(read_first_records(path), {})
    if record.get("type") != "session":
        return TranscriptOpening(frozenset(), "", "")
    session = session_key(get_text(record, "id"))
    sessions = frozenset({session}) if session else frozenset()
    return TranscriptOpening(sessions, get_text(record, "cwd"), get_text(record, "timestamp"))


def session_key(session: str) -> str:
    """Return a session id as sent by our extension: users choose ids, even with dots."""
    return session.replace(".", "_")


def _split_name(name: str) -> tuple[str, str, str]:
    return name[:_STAMP], name[_STAMP : _STAMP + 1], name[_STAMP + 1 :]


def _list_files(folder: str) -> Iterator[str]:
    for place in (folder, *list_folders(folder)):
        for name in list_plain_files(place):
            path = os.path.join(place, name)
            if owns_transcript(path) and _is_session(session_of_path(path)):
                yield path


def _is_session(text: str) -> bool:
    try:
        return bool(check_session_id(text))
    except UnsafeNameError:
        return False
