"""Find the transcripts of exactly one session or project.

A folder name does not identify a project: ``/a/b-c`` and ``/a/b/c`` share one. So the file
itself tells its start directory.
"""

from __future__ import annotations

import os

from twiceshy.core.errors import TwiceshyError
from twiceshy.runtimes.jsonl import list_folders, list_plain_files, modified_at, read_first_records
from twiceshy.runtimes.transcript_opening import TranscriptOpening
from twiceshy.safety.names import check_session_id

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

_SUFFIX = ".jsonl"
_AGENT = "agent-"
_OPENING = 1 << 20  # bytes within which a file says whose it is


def list_transcripts(projects: str) -> list[str]:
    """Return every transcript, oldest session first."""
    found = [path for folder in list_folders(projects) for path in _session_files(folder)]
    # a fork begins with a copy, so it began when its parent did; but it is written later
    began = [(read_opening(path).at, modified_at(path), path) for path in found]
    return [path for *_, path in sorted(began)]


def find_transcript(session: str, projects: str) -> str:
    """Return the transcript of a session; empty if none or ambiguous."""
    name = check_session_id(session) + _SUFFIX
    found = [
        path for folder in list_folders(projects) for path in _session_files(folder, only=name)
    ]
    own = [path for path in found if read_opening(path).sessions in (frozenset(), {session})]
    return own[0] if len(own) == 1 else ""


def list_session_parts(path: str) -> list[str]:
    """Return a session's transcript and those of its agents."""
    folder, name = os.path.split(path)
    session = name.removesuffix(_SUFFIX)
    inside = _agent_files(os.path.join(folder, session, "subagents"))
    # for a while Claude Code put them beside the sessions
    beside = [file for file in _agent_files(folder) if session in read_opening(file).sessions]
    return [path, *inside, *beside]


def _session_files(folder: str, *, only: str = "") -> Iterator[str]:
    """Yield plain files named after a session."""
    for name in list_plain_files(folder):
        if not name.startswith(_AGENT) and only in ("", name) and _session_name(name):
            yield os.path.join(folder, name)


def _agent_files(folder: str) -> list[str]:
    names = [
        name
        for name in list_plain_files(folder)
        if name.startswith(_AGENT) and _session_name(name)
    ]
    return [os.path.join(folder, name) for name in names]


def _session_name(name: str) -> bool:
    try:
        return bool(check_session_id(name.removesuffix(_SUFFIX)))
    except TwiceshyError:
        return False


def read_opening(path: str) -> TranscriptOpening:
    """Read start directory and time of a session."""
    sessions: set[str] = set()
    for record in read_first_records(path, _OPENING):
        cwd, at, session = (record.get(name) for name in ("cwd", "timestamp", "sessionId"))
        if isinstance(session, str):
            sessions.add(session)
        if isinstance(cwd, str) and cwd:
            return TranscriptOpening(frozenset(sessions), cwd, at if isinstance(at, str) else "")
    return TranscriptOpening(frozenset(sessions), "", "")
