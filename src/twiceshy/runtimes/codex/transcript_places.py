"""Find rollouts of sessions and of their agents.

A rollout is named after its own thread. The session of a thread stands in its first record.
"""

from __future__ import annotations

import os
import stat

from twiceshy.core.value import Value
from twiceshy.runtimes.jsonl import get_text, list_plain_files, modified_at, read_first_records
from twiceshy.runtimes.transcript_opening import TranscriptOpening
from twiceshy.safety.names import check_session_id

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

_BEGINS, _SUFFIX = "rollout-", ".jsonl"
_STAMP = len("2026-01-05T09-00-00-")
_DAY = len("2026-01-05")
_ARCHIVE = "archived_sessions"  # beside the folder of sessions; without folders in it


class RolloutHeader(Value):
    """Header of a rollout: thread, session, and start."""

    id: str = ""
    session: str = ""
    agent: str = ""
    cwd: str = ""
    at: str = ""
    copied: bool = False  # it begins with a copy of another thread


def read_header(path: str) -> RolloutHeader:
    """Read the header of a rollout."""
    for record in read_first_records(path) if _is_plain(path) else ():
        meta = record.get("payload")
        if record.get("type") != "session_meta" or not isinstance(meta, dict):
            break
        own = get_text(meta, "id") or session_of_path(path)
        source = meta.get("source")
        started = meta.get("thread_source") == "subagent" or isinstance(source, dict)
        return RolloutHeader(
            id=own,
            session=get_text(meta, "session_id") or own,
            agent=own if started else "",
            cwd=get_text(meta, "cwd"),
            at=get_text(meta, "timestamp") or get_text(record, "timestamp"),
            copied="forked_from_id" in meta and "forked_from_ordinal_exclusive" not in meta,
        )
    return RolloutHeader(id=session_of_path(path), session=session_of_path(path))


def _is_plain(path: str) -> bool:
    """True for a plain file, safe to open."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False


def owns_transcript(path: str) -> bool:
    """True if a file name is a rollout's."""
    name = os.path.basename(path)
    return name.startswith(_BEGINS) and name.endswith(_SUFFIX)


def session_of_path(path: str) -> str:
    """Return the thread named by a rollout; a session's own has its name."""
    name = os.path.basename(path).removesuffix(_SUFFIX)
    return name.removeprefix(_BEGINS)[_STAMP:]


def list_transcripts(folder: str) -> list[str]:
    """Return rollouts of every session, archived included, oldest first."""
    began = [(os.path.basename(path), modified_at(path), path) for path in _list_rollouts(folder)]
    return [path for *_, path in sorted(began) if not read_header(path).agent]


def find_transcript(session: str, folder: str) -> str:
    """Return the transcript of a session; empty if none or ambiguous."""
    name = f"-{check_session_id(session)}{_SUFFIX}"
    found = [path for path in _list_rollouts(folder) if path.endswith(name)]
    own = [path for path in found if session_of_path(path) == session]
    return own[0] if len(own) == 1 else ""


def list_session_parts(path: str) -> list[str]:
    """Return a session's transcript and those of its agents."""
    session = session_of_path(path)
    return [path, *(near for near in _rollouts_since(path) if _is_started_by(session, near))]


def read_opening(path: str) -> TranscriptOpening:
    """Read start directory and time of a session."""
    thread = read_header(path)
    return TranscriptOpening(frozenset((thread.session,)), thread.cwd, thread.at)


def _is_started_by(session: str, path: str) -> bool:
    thread = read_header(path)
    return thread.agent != "" and thread.session == session


def _rollouts_since(path: str) -> Iterator[str]:
    """Yield rollouts started during a session, possibly its agents'."""
    folder, name = os.path.split(path)
    root = _day_root(folder)
    first, last = _day_of_folder(name), _last_day_of(path)
    for day in _day_folders(root) if root else [folder]:
        for other in list_plain_files(day, _SUFFIX):
            near = first <= _day_of_folder(other) <= last and other.startswith(_BEGINS)
            if near and other > name[: len(_BEGINS) + _STAMP]:
                yield os.path.join(day, other)


def _day_root(folder: str) -> str:
    """Return the folder of days above a day folder; empty if none."""
    parts = folder.split(os.sep)
    dated = len(parts) > 3 and all(part.isdecimal() for part in parts[-3:])
    return os.sep.join(parts[:-3]) if dated else ""


def _day_of_folder(name: str) -> str:
    return name.removeprefix(_BEGINS)[:_DAY]


def _last_day_of(path: str) -> str:
    import time  # noqa: PLC0415 - no hook looks for transcripts

    seconds = modified_at(path) / 1e9
    return time.strftime("%Y-%m-%d", time.localtime(seconds + 86_400))  # of any time zone


def _list_rollouts(folder: str) -> Iterator[str]:
    archive = os.path.join(os.path.dirname(folder.rstrip(os.sep)), _ARCHIVE)
    for place in (*_day_folders(folder), archive):
        for name in list_plain_files(place, _SUFFIX):
            if name.startswith(_BEGINS) and len(name) > len(_BEGINS) + _STAMP + len(_SUFFIX):
                yield os.path.join(place, name)


def _day_folders(folder: str) -> list[str]:
    """Return the day folders: year, month, day."""
    places = [folder]
    for _ in ("year", "month", "day"):
        places = [inner for place in places for inner in _numbered_folders(place)]
    return places


def _numbered_folders(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(
                entry.path
                for entry in entries
                if entry.name.isdecimal() and entry.is_dir(follow_symlinks=False)
            )
    except (OSError, ValueError):
        return []
