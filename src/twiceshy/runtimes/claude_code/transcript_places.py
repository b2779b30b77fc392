"""Find the transcripts of exactly one session or project.

A folder name does not identify a project: ``/a/b-c`` and ``/a/b/c`` share one. So the file
itself tells its start directory.
"""

from __future__ import annotations

import os

from twiceshy.core.errors import TwiceshyError
from twiceshy.runtimes.jsonl import first_records, folders, plain_files, written_at
from twiceshy.runtimes.opening import Opening
from twiceshy.safety.names import session_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

_SUFFIX = ".jsonl"
_AGENT = "agent-"
_OPENING = 1 << 20  # bytes within which a file says whose it is


def everywhere(projects: str) -> list[str]:
    """Return every transcript, oldest session first."""
    found = [path for folder in folders(projects) for path in _files(folder)]
    # a fork begins with a copy, so it began when its parent did; but it is written later
    began = [(opening_of(path).at, written_at(path), path) for path in found]
    return [path for *_, path in sorted(began)]


def transcript_of(session: str, projects: str) -> str:
    """Return the transcript of a session; empty if none or ambiguous."""
    name = session_name(session) + _SUFFIX
    found = [path for folder in folders(projects) for path in _files(folder, only=name)]
    own = [path for path in found if opening_of(path).sessions in (frozenset(), {session})]
    return own[0] if len(own) == 1 else ""


def parts_of(path: str) -> list[str]:
    """Return a session's transcript and those of its agents."""
    folder, name = os.path.split(path)
    session = name.removesuffix(_SUFFIX)
    inside = _agents(os.path.join(folder, session, "subagents"))
    # for a while Claude Code put them beside the sessions
    beside = [file for file in _agents(folder) if session in opening_of(file).sessions]
    return [path, *inside, *beside]


def _files(folder: str, *, only: str = "") -> Iterator[str]:
    """Yield plain files named after a session."""
    for name in plain_files(folder):
        if not name.startswith(_AGENT) and only in ("", name) and _named(name):
            yield os.path.join(folder, name)


def _agents(folder: str) -> list[str]:
    names = [name for name in plain_files(folder) if name.startswith(_AGENT) and _named(name)]
    return [os.path.join(folder, name) for name in names]


def _named(name: str) -> bool:
    try:
        return bool(session_name(name.removesuffix(_SUFFIX)))
    except TwiceshyError:
        return False


def opening_of(path: str) -> Opening:
    """Read start directory and time of a session."""
    sessions: set[str] = set()
    for record in first_records(path, _OPENING):
        cwd, at, session = (record.get(name) for name in ("cwd", "timestamp", "sessionId"))
        if isinstance(session, str):
            sessions.add(session)
        if isinstance(cwd, str) and cwd:
            return Opening(frozenset(sessions), cwd, at if isinstance(at, str) else "")
    return Opening(frozenset(sessions), "", "")
