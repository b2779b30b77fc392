"""Find sessions in OpenCode's database."""

from __future__ import annotations

import os

from twiceshy.core.errors import NotFoundError, TwiceshyError
from twiceshy.core.moment import format_stamp
from twiceshy.runtimes.jsonl import list_plain_files
from twiceshy.runtimes.opencode.places import is_database, split_transcript_path, transcript_path
from twiceshy.runtimes.opencode.storage import open_storage
from twiceshy.runtimes.transcript_opening import TranscriptOpening
from twiceshy.safety.names import check_session_id

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_AGENTS = 1_000  # of one session


def list_transcripts(folder: str) -> list[str]:
    """Return user sessions, oldest first per database."""
    return [
        transcript_path(database, session)
        for database in _list_databases(folder)
        for session in _started_sessions(database, "")
        if _is_name(session)
    ]


def find_transcript(session: str, folder: str) -> str:
    """Return the transcript of a session; empty if none or ambiguous."""
    check_session_id(session)
    places = (transcript_path(database, session) for database in _list_databases(folder))
    return next((place for place in places if transcript_size(place) >= 0), "")


def list_session_parts(path: str) -> list[str]:
    """Return a session and the sessions of its agents, recursively."""
    database, first = split_transcript_path(path)
    found = [first]
    for session in found:
        new = [
            one
            for one in _started_sessions(database, session)
            if one not in found and _is_name(one)
        ]
        found += new[: max(0, _MOST_AGENTS - len(found))]
    return [transcript_path(database, session) for session in found]


def session_of_path(path: str) -> str:
    """Return the session named by a transcript."""
    return split_transcript_path(path)[1]


def read_opening(path: str) -> TranscriptOpening:
    """Read start directory and time of a session, and its root session."""
    try:
        with open_storage(path) as storage:
            session = storage.find_session(session_of_path(path))
            if session is None:
                return TranscriptOpening(frozenset(), "", "")
            return TranscriptOpening(
                frozenset((storage.find_root_session(session),)),
                session.directory,
                _parse_stamp(session.at),
            )
    except NotFoundError:
        return TranscriptOpening(frozenset(), "", "")


def transcript_size(path: str) -> int:
    """Return the current size of a session in position units; -1 if gone."""
    try:
        with open_storage(path) as storage:
            name = session_of_path(path)
            return storage.session_size(name) if storage.find_session(name) else -1
    except NotFoundError:
        return -1


def _list_databases(folder: str) -> Iterator[str]:
    for name in list_plain_files(folder, ".db"):
        if is_database(name):
            yield os.path.join(folder, name)


def _started_sessions(database: str, session: str) -> list[str]:
    try:
        with open_storage(transcript_path(database, session)) as storage:
            return storage.list_sessions(session)
    except NotFoundError:
        return []


def _is_name(session: str) -> bool:
    try:
        return bool(check_session_id(session))
    except TwiceshyError:
        return False


def _parse_stamp(at: int) -> str:
    return format_stamp(at) if 0 < at < 1 << 47 else ""
