"""Find the rollouts of sessions, and of the agents that they started; never another session's.

A rollout is named after its own thread. Whose session a thread belongs to stands in its first record, so
that one is asked.
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
    """What a rollout's first record says: which thread it is, of which session, and how it began."""

    id: str = ""
    session: str = ""
    agent: str = ""
    cwd: str = ""
    at: str = ""
    copied: bool = False  # it begins with a copy of another thread


def thread_of(path: str) -> Thread:
    """Read whose a rollout is."""
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
    """Tell whether there is a file that can be opened: nobody waits for a pipe."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False


def wrote(path: str) -> bool:
    """Tell from its name whether a file is a rollout."""
    name = os.path.basename(path)
    return name.startswith(_BEGINS) and name.endswith(_SUFFIX)


def session_of(path: str) -> str:
    """Return the thread that a rollout is named after: a session's own is named like the session."""
    name = os.path.basename(path).removesuffix(_SUFFIX)
    return name.removeprefix(_BEGINS)[_STAMP:]


def everywhere(folder: str) -> list[str]:
    """Return the rollouts of all sessions, archived ones too, the oldest first."""
    began = [(os.path.basename(path), written_at(path), path) for path in _rollouts(folder)]
    return [path for *_, path in sorted(began) if not thread_of(path).agent]


def transcript_of(session: str, folder: str) -> str:
    """Return the rollout of a session; nothing if none, or more than one, is named after it."""
    name = f"-{session_name(session)}{_SUFFIX}"
    found = [path for path in _rollouts(folder) if path.endswith(name)]
    own = [path for path in found if session_of(path) == session]
    return own[0] if len(own) == 1 else ""


def parts_of(path: str) -> list[str]:
    """Return a session's rollout and those of the agents that it started, as far as they are near."""
    session = session_of(path)
    return [path, *(near for near in _since(path) if _started_by(session, near))]


def opening_of(path: str) -> Opening:
    """Read where and when a session began."""
    thread = thread_of(path)
    return Opening(frozenset((thread.session,)), thread.cwd, thread.at)


def _started_by(session: str, path: str) -> bool:
    thread = thread_of(path)
    return thread.agent != "" and thread.session == session


def _since(path: str) -> Iterator[str]:
    """Yield the rollouts that began while a session went on, which its agents did."""
    folder, name = os.path.split(path)
    root = _root(folder)
    first, last = _day(name), _last_day(path)
    for day in _days(root) if root else [folder]:
        for other in plain_files(day, _SUFFIX):
            near = first <= _day(other) <= last and other.startswith(_BEGINS)
            if near and other > name[: len(_BEGINS) + _STAMP]:
                yield os.path.join(day, other)


def _root(folder: str) -> str:
    """Return the folder of all days, if this is one of a day; else nothing."""
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
    """Return the folders of all days: year, month and day, each in the one before."""
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
