"""Pi transcripts: a file per session, named by time and id, with a tree of entries.

They are read in writing order: an abandoned branch happened all the same. An entry id is
short and unique in its file only; with its time it is recognised in copies made by forks.
With a custom session folder, every file lies directly in it.
"""

from __future__ import annotations

import os

from twiceshy.core import transcript
from twiceshy.runtimes import transcript_files as files
from twiceshy.runtimes.jsonl import JsonLinesPass
from twiceshy.runtimes.pi import payload as words
from twiceshy.runtimes.pi.payload import TOOLS
from twiceshy.runtimes.records import (
    build_call,
    build_skill_uses,
    get_count,
    get_mapping,
    get_text,
    list_blocks,
    parse_moment,
)
from twiceshy.safety.names import check_session_id

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.transcript import Step
    from twiceshy.runtimes.records import Record, Shared

SETTING = "transcripts.pi"
transcript_size = files.transcript_size
_STAMP = len("2026-11-15T07-01-34-075Z")
_SENT = ("input", "cacheRead", "cacheWrite")
_SKILL, _SKILL_END = '<skill name="', "</skill>"
_FILE, _FILE_END = '<file name="', "</file>"


class PiRecords:
    """Pi records; the first line tells the start directory."""

    telling: tuple[bytes, ...] = (b'"message"', b'"compaction"')
    hint = "Pi keeps transcripts below ~/.pi/agent/sessions"

    def __init__(self, path: str) -> None:
        self._path = path
        self._cwd: str | None = None
        self.state = ""

    def steps(self, record: Record, made: str) -> Iterator[Step]:
        """Yield the steps of a record, in order."""
        at = get_text(record, "timestamp")
        entry = get_text(record, "id")
        shared: Shared = {
            "id": f"{entry}@{at}" if entry else made,
            "session": session_of_path(self._path),
            "cwd": self._start_directory(),
            "at": parse_moment(at),
        }
        match record.get("type"):
            case "message":
                yield from _message_steps(get_mapping(record, "message"), shared)
            case "compaction":
                if summary := get_text(record, "summary").strip():
                    yield transcript.SummaryStep.of({**shared, "summary": summary})
            case _:
                return

    def _start_directory(self) -> str:
        if self._cwd is None:
            self._cwd = read_opening(self._path).cwd
        return self._cwd


def read_transcript(
    path: str, *, after: str = "", whole: bool = False, known: set[str] | None = None
) -> JsonLinesPass:
    """Return a pass over a transcript that yields its steps."""
    return JsonLinesPass(path, PiRecords(path), after=after, whole=whole, known=known)


def owns_transcript(path: str) -> bool:
    """True if a path is a Pi transcript, by its time stamp."""
    stamp, between, rest = _split_name(os.path.basename(path))
    plain = stamp[:10].replace("-", "").isdecimal() and stamp[10:11] == "T" and stamp[-1:] == "Z"
    return plain and between == "_" and rest.endswith(files.SUFFIX)


def list_transcripts(folder: str) -> list[str]:
    """Return every transcript, oldest session first."""
    return files.sort_oldest_first(_list_files(folder), read_opening)


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
    return session_key(named.removesuffix(files.SUFFIX))


def read_opening(path: str) -> files.TranscriptOpening:
    """Read start directory and time of a session."""
    record = next(files.read_first_records(path), {})
    if record.get("type") != "session":
        return files.TranscriptOpening()
    session = session_key(get_text(record, "id"))
    sessions = frozenset({session}) if session else frozenset()
    return files.TranscriptOpening(
        sessions, get_text(record, "cwd"), get_text(record, "timestamp")
    )


def read_context_use(path: str) -> tuple[int, int]:
    """Return used and available tokens of a session's context; zeros if unknown."""
    for record in files.read_last_records(path, b'"usage"', b'"compaction"'):
        if record.get("type") == "compaction":
            return files.UNKNOWN_USE
        sent = sum(get_count(record, "message", "usage", name) for name in _SENT)
        if get_text(record, "message", "role") == "assistant" and sent:
            return sent, files.context_window_of(get_text(record, "message", "model"))
    return files.UNKNOWN_USE


def session_key(session: str) -> str:
    """Return a session id as sent by our extension: users choose ids, even with dots."""
    return session.replace(".", "_")


def _split_name(name: str) -> tuple[str, str, str]:
    return name[:_STAMP], name[_STAMP : _STAMP + 1], name[_STAMP + 1 :]


def _list_files(folder: str) -> Iterator[str]:
    for place in (folder, *files.list_folders(folder)):
        for name in files.list_plain_files(place):
            path = os.path.join(place, name)
            if owns_transcript(path) and files.is_session_id(session_of_path(path)):
                yield path


def _message_steps(message: Record, shared: Shared) -> Iterator[Step]:
    """Yield the steps of a message, without extensions, summaries and the user's own shell."""
    match message.get("role"):
        case "user":
            yield from _user_steps("\n".join(_joined_texts(message)), shared)
        case "assistant":
            yield from _agent_steps(message, shared)
        case "toolResult":
            yield from _result_step(message, shared)
        case _:
            return


def _user_steps(text: str, shared: Shared) -> Iterator[Step]:
    text = _strip_files(text).strip()
    if text.startswith(_SKILL):
        name = text[len(_SKILL) :].partition('"')[0]
        # the last end counts: what a SKILL.md says must never pass for the user's words
        text = text.rpartition(_SKILL_END)[2].strip() if _SKILL_END in text else ""
        yield transcript.SkillStep.of({**shared, "name": name, "arguments": text, "how": "slash"})
    if text:
        yield transcript.UserMessage.of({**shared, "text": text})


def _strip_files(text: str) -> str:
    """Return a prompt without files named on the command line."""
    if not text.startswith(_FILE):
        return text
    _, ended, said = text.rpartition(_FILE_END)  # the last end: files hold what they want
    return said if ended else ""


def _agent_steps(message: Record, shared: Shared) -> Iterator[Step]:
    for index, part in enumerate(list_blocks(message.get("content"))):
        place = {**shared, "id": f"{shared['id']}#{index}" if index else shared["id"]}
        if part.get("type") == "toolCall":
            yield from _call_step(part, place)
        elif part.get("type") == "text" and (text := get_text(part, "text").strip()):
            yield transcript.AgentMessage.of({**place, "text": text})
    if message.get("stopReason") == "aborted":
        yield transcript.InterruptStep.of(shared)


def _call_step(part: Record, shared: Shared) -> Iterator[Step]:
    shared = {**shared, "id": get_text(part, "id") or shared["id"]}
    their, given = get_text(part, "name"), part.get("arguments")
    if isinstance(given, dict):
        given = TOOLS.our_arguments(their, given)
    tool = TOOLS.our_name(their)
    yield build_call(tool, given, shared)
    yield from build_skill_uses(tool, given, shared)


def _result_step(message: Record, shared: Shared) -> Iterator[Step]:
    call, tool = get_text(message, "toolCallId"), get_text(message, "toolName")
    if not call:
        return
    failed = message.get("isError") is True
    texts = _joined_texts(message)
    # what we add to a result is a part of its own; the reason of a refusal is the only part
    why = words.classify_refusal("".join(texts[:1]), tool) if failed else ""
    text = "\n".join(text for text in texts if not words.is_our_text(text))
    told = {
        "text": words.describe_failure(text) if failed else words.strip_wrapping(text),
        "failed": failed,
    }
    yield transcript.ResultStep.of({**shared, **told, "refusal": why, "id": call})


def _joined_texts(message: Record) -> list[str]:
    return [
        get_text(part, "text")
        for part in list_blocks(message.get("content"))
        if part.get("type") == "text"
    ]
