"""Find rollouts of sessions and of their agents.

A rollout is named after its own thread. The session of a thread stands in its first record.
"""

from __future__ import annotations

import os
import stat

from twiceshy.core.value import Value
from twiceshy.runtimes.jsonl import first_records, plain_files, text_at, written_at
from twiceshy.runtimes.opening import Opening
from twiceshy.safety.names import session_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

_BEGINS, _SUFFIX = "rollout-", ".jsonl"
_STAMP = len("2026-01-05T09-00-00-")
_DAY = len("2026-01-05")
_ARCHIVE = "archived_sessions"  # beside the folder of sessions; without folders in it


class Thread(Value):
    """Header of a rollout: thread, session, and start."""

    id: str = ""
    session: str = ""
    agent: str = ""
    cwd: str = ""
    at: str = ""
    copied: bool = False  # it begins with a copy of another thread


def thread_of(path: str) -> Thread:
    """Read the header of a rollout."""
    for record in first_records(path) if _is_plain(path) else ():
        meta = record.get("payload")
        if record.get("type") != "session_meta" or not isinstance(meta, dict):
            break
        own = text_at(meta, "id") or session_of(path)
        source = meta.get("source")
        started = meta.get("thread_source") == "subagent" or isinstance(source, dict)
        return Thread(
            id=own,
            session=text_at(meta, "session_id") or own,
            agent=own if started else "",
            cwd=text_at(meta, "cwd"),
            at=text_at(meta, "timestamp") or text_at(record, "timestamp"),
            copied="forked_from_id" in meta and "forked_from_ordinal_exclusive" not in meta,
        )
    return Thread(id=session_of(path), session=session_of(path))


def _is_plain(path: str) -> bool:
    """True for a plain file, safe to open."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False


def wrote(path: str) -> bool:
    """True if a file name is a rollout's."""
    name = os.path.basename(path)
    return name.startswith(_BEGINS) and name.endswith(_SUFFIX)


def session_of(path: str) -> str:
    """Return the thread named by a rollout; a session's own has its name."""
    name = os.path.basename(path).removesuffix(_SUFFIX)
    return name.removeprefix(_BEGINS)[_STAMP:]


def everywhere(folder: str) -> list[str]:
    """Return rollouts of every session, archived included, oldest first."""
    began = [(os.path.basename(path), written_at(path), path) for path in _rollouts(folder)]
    return [path for *_, path in sorted(began) if not thread_of(path).agent]


def transcript_of(session: str, folder: str) -> str:
    """Return the transcript of a session; empty if none or ambiguous."""
    name = f"-{session_name(session)}{_SUFFIX}"
    found = [path for path in _rollouts(folder) if path.endswith(name)]
    own = [path for path in found if session_of(path) == session]
    return own[0] if len(own) == 1 else ""


def parts_of(path: str) -> list[str]:
    """Return a session's transcript and those of its agents."""
    session = session_of(path)
    return [path, *(near for near in _since(path) if _started_by(session, near))]


def opening_of(path: str) -> Opening:
    """Read start directory and time of a session."""
    thread = thread_of(path)
    return Opening(frozenset((thread.session,)), thread.cwd, thread.at)


def _started_by(session: str, path: str) -> bool:
    thread = thread_of(path)
    return thread.agent != "" and thread.session == session


def _since(path: str) -> Iterator[str]:
    """Yield rollouts started during a session, possibly its agents'."""
    folder, name = os.path.split(path)
    root = _root(folder)
    first, last = _day(name), _last_day(path)
    for day in _days(root) if root else [folder]:
        for other in plain_files(day, _SUFFIX):
            near = first <= _day(other) <= last and other.startswith(_BEGINS)
            if near and other > name[: len(_BEGINS) + _STAMP]:
                yield os.path.join(day, other)


def _root(folder: str) -> str:
    """Return the folder of days above a day folder; empty if none."""
    parts = folder.split(os.sep)
    dated = len(parts) > 3 and all(part.isdecimal() for part in parts[-3:])
    return os.sep.join(parts[:-3]) if dated else ""


def _day(name: str) -> str:
    return name.removeprefix(_BEGINS)[:_DAY]


def _last_day(path: str) -> str:
    import time  # noqa: PLC0415 - no hook looks for transcripts

    seconds = written_at(path) / 1e9
    return time.strftime("%Y-%m-%d", time.localtime(seconds + 86_400))  # of any time zone


def _rollouts(folder: str) -> Iterator[str]:
    archive = os.path.join(os.path.dirname(folder.rstrip(os.sep)), _ARCHIVE)
    for place in (*_days(folder), archive):
        for name in plain_files(place, _SUFFIX):
            if name.startswith(_BEGINS) and len(name) > len(_BEGINS) + _STAMP + len(_SUFFIX):
                yield os.path.join(place, name)


def _days(folder: str) -> list[str]:
    """Return the day folders: year, month, day."""
    places = [folder]
    for _ in ("year", "month", "day"):
        places = [inner for place in places for inner in _folders(place)]
    return places


def _folders(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(
                entry.path
                for entry in entries
                if entry.name.isdecimal() and entry.is_dir(follow_symlinks=False)
            )
    except (OSError, ValueError):
        return []
