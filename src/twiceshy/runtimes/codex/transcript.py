"""Codex rollouts: where they are, whose they are, and how full their context is.

A rollout is named after its own thread. The session of a thread stands in its first record.
"""

from __future__ import annotations

import os
import stat

from twiceshy.core.transcript import ResultStep
from twiceshy.core.value import Value
from twiceshy.runtimes import transcript_files as files
from twiceshy.runtimes.codex.transcript_records import NESTED, translate_record
from twiceshy.runtimes.jsonl import JsonLinesPass
from twiceshy.runtimes.records import get_count, get_mapping, get_text
from twiceshy.safety.names import check_session_id

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.transcript import Step
    from twiceshy.runtimes.records import Record

SETTING = "transcripts.codex"
transcript_size = files.transcript_size
_COPY = "copy"
_BETWEEN = ","
_MOST_EARLY = 16
_BEGINS = "rollout-"
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


class CodexRecords:
    """Codex records.

    The state is the set of calls with an early result, whose later result repeats it; or the
    fact of reading a copied thread.
    """

    telling: tuple[bytes, ...] = (
        b'"response_item"',
        b'"event_msg"',
        b'"compacted"',
        b"session_meta",
    )
    hint = "Codex keeps rollouts in ~/.codex/sessions and, archived, in ~/.codex/archived_sessions"

    def __init__(self, path: str) -> None:
        self._thread = read_header(path)
        self.state = ""

    def steps(self, record: Record, made: str) -> Iterator[Step]:
        """Yield the steps of a record, in order."""
        if self._is_copied(record):
            return
        named = {name: getattr(self._thread, name) for name in ("session", "agent", "cwd")}
        early = record.get("type") == "event_msg"
        for step in translate_record(record, {**named, "id": made}):
            if not isinstance(step, ResultStep) or self._is_new_result(step, early=early):
                yield step

    def _is_copied(self, record: Record) -> bool:
        """True if a record was copied from the continued thread."""
        if record.get("type") == "session_meta":
            if get_text(record, "payload", "id") == self._thread.id and self._thread.copied:
                self.state = _COPY
            return True
        if self.state == _COPY and get_text(record, "payload", "thread_id") == self._thread.id:
            self.state = ""
        return self.state == _COPY

    def _is_new_result(self, step: ResultStep, *, early: bool) -> bool:
        known = [each for each in self.state.split(_BETWEEN) if each]
        again = step.id in known
        if again:
            known.remove(step.id)
        elif early and not step.id.startswith(NESTED) and _BETWEEN not in step.id:
            known.append(step.id)
        self.state = _BETWEEN.join(known[-_MOST_EARLY:])
        return not again


def read_transcript(
    path: str, *, after: str = "", whole: bool = False, known: set[str] | None = None
) -> JsonLinesPass:
    """Return a pass over a transcript that yields its steps."""
    return JsonLinesPass(path, CodexRecords(path), after=after, whole=whole, known=known)


def read_header(path: str) -> RolloutHeader:
    """Read the header of a rollout."""
    for record in files.read_first_records(path) if _is_plain(path) else ():
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
    return name.startswith(_BEGINS) and name.endswith(files.SUFFIX)


def session_of_path(path: str) -> str:
    """Return the thread named by a rollout; a session's own has its name."""
    name = os.path.basename(path).removesuffix(files.SUFFIX)
    return name.removeprefix(_BEGINS)[_STAMP:]


def list_transcripts(folder: str) -> list[str]:
    """Return rollouts of every session, archived included, oldest first."""
    began = [
        (os.path.basename(path), files.modified_at(path), path) for path in _list_rollouts(folder)
    ]
    return [path for *_, path in sorted(began) if not read_header(path).agent]


def find_transcript(session: str, folder: str) -> str:
    """Return the transcript of a session; empty if none or ambiguous."""
    name = f"-{check_session_id(session)}{files.SUFFIX}"
    found = [path for path in _list_rollouts(folder) if path.endswith(name)]
    own = [path for path in found if session_of_path(path) == session]
    return own[0] if len(own) == 1 else ""


def list_session_parts(path: str) -> list[str]:
    """Return a session's transcript and those of its agents."""
    session = session_of_path(path)
    near = [(other, read_header(other)) for other in _rollouts_since(path)]
    return [path, *(other for other, head in near if head.agent and head.session == session)]


def read_opening(path: str) -> files.TranscriptOpening:
    """Read start directory and time of a session."""
    thread = read_header(path)
    return files.TranscriptOpening(frozenset((thread.session,)), thread.cwd, thread.at)


def read_context_use(path: str) -> tuple[int, int]:
    """Return used and available tokens of a session's context; zeros if unknown."""
    for record in files.read_last_records(path, b'"token_count"', b'"compacted"'):
        if record.get("type") == "compacted":
            return files.UNKNOWN_USE
        told = get_mapping(record, "payload", "info")
        used = get_mapping(told, "last_token_usage")
        tokens = get_count(used, "total_tokens") or get_count(used, "input_tokens")
        if get_text(record, "payload", "type") == "token_count" and tokens:
            return tokens, get_count(told, "model_context_window") or files.USUAL_WINDOW
    return files.UNKNOWN_USE


def _rollouts_since(path: str) -> Iterator[str]:
    """Yield rollouts started during a session, possibly its agents'."""
    folder, name = os.path.split(path)
    root = _day_root(folder)
    first, last = _day_of_name(name), _last_day_of(path)
    for day in _day_folders(root) if root else [folder]:
        for other in files.list_plain_files(day):
            near = first <= _day_of_name(other) <= last and other.startswith(_BEGINS)
            if near and other > name[: len(_BEGINS) + _STAMP]:
                yield os.path.join(day, other)


def _day_root(folder: str) -> str:
    """Return the folder of days above a day folder; empty if none."""
    parts = folder.split(os.sep)
    dated = len(parts) > 3 and all(part.isdecimal() for part in parts[-3:])
    return os.sep.join(parts[:-3]) if dated else ""


def _day_of_name(name: str) -> str:
    return name.removeprefix(_BEGINS)[:_DAY]


def _last_day_of(path: str) -> str:
    import time  # noqa: PLC0415 - no hook looks for transcripts

    seconds = files.modified_at(path) / 1e9
    return time.strftime("%Y-%m-%d", time.localtime(seconds + 86_400))  # of any time zone


def _list_rollouts(folder: str) -> Iterator[str]:
    archive = os.path.join(os.path.dirname(folder.rstrip(os.sep)), _ARCHIVE)
    for place in (*_day_folders(folder), archive):
        for name in files.list_plain_files(place):
            if name.startswith(_BEGINS) and len(name) > len(_BEGINS) + _STAMP + len(files.SUFFIX):
                yield os.path.join(place, name)


def _day_folders(folder: str) -> list[str]:
    """Return the day folders: year, month, day."""
    places = [folder]
    for _ in ("year", "month", "day"):
        inner = (folder for place in places for folder in files.list_folders(place))
        places = [folder for folder in inner if os.path.basename(folder).isdecimal()]
    return places
