"""Pi transcripts: a tree of entries in a file, read in writing order.

An abandoned branch happened all the same. An entry id is short and unique in its file only;
with its time it is recognised in copies made by forks.
"""

from __future__ import annotations

import json

from twiceshy.core import moment, transcript
from twiceshy.runtimes import jsonl
from twiceshy.runtimes.jsonl import drop_surrogates, get_text, transcript_size
from twiceshy.runtimes.pi import words
from twiceshy.runtimes.pi.tools import TOOLS
from twiceshy.runtimes.pi.transcript_places import (
    find_transcript,
    list_session_parts,
    list_transcripts,
    owns_transcript,
    read_opening,
    session_of_path,
)
from twiceshy.safety.names import check_session_id

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from twiceshy.core.transcript import Step
    from twiceshy.runtimes.jsonl import Record

    Shared = dict[str, object]

__all__ = [
    "find_transcript",
    "list_session_parts",
    "list_transcripts",
    "owns_transcript",
    "read_opening",
    "read_transcript",
    "session_of_path",
    "transcript_size",
]

SETTING = "transcripts.pi"
_SKILL_FILE = "/SKILL.md"
_SKILL, _SKILL_END = '<skill name="', "</skill>"
_FILE, _FILE_END = '<file name="', "</file>"


class PiRecords:
    """Pi records; the first line tells the start directory."""

    telling: tuple[bytes, ...] = (b'"message"', b'"compaction"')
    hint = "Pi keeps transcripts below ~/.pi/agent/sessions"

    def __init__(self, path: str, session: str) -> None:
        self._path = path
        self._session = session
        self._cwd: str | None = None
        self.state = ""

    def steps(self, record: Record, made: str) -> Iterator[Step]:
        """Yield the steps of a record, in order."""
        at = get_text(record, "timestamp")
        entry = get_text(record, "id")
        shared: Shared = {
            "id": f"{entry}@{at}" if entry else made,
            "session": self._session or session_of_path(self._path),
            "cwd": self._start_directory(),
            "at": _parse_moment(at),
        }
        match record.get("type"):
            case "message":
                message = record.get("message")
                yield from _message_steps(message, shared) if isinstance(message, dict) else ()
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
    path: str,
    *,
    after: str = "",
    whole: bool = False,
    known: set[str] | None = None,
    session: str = "",
) -> jsonl.JsonLinesPass:
    """Return a pass over a transcript that yields its steps.

    ``after`` is the position of an earlier pass: only later content is read, everything if the
    file shrank or was replaced. ``known`` are the keys of steps read before, in this file or
    another; the pass adds to the set. With ``session``, records of other sessions are skipped.
    """
    if session:
        check_session_id(session)
    return jsonl.JsonLinesPass(
        path, after, set() if known is None else known, PiRecords(path, session), whole=whole
    )


def _message_steps(message: Mapping[str, object], shared: Shared) -> Iterator[Step]:
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


def _agent_steps(message: Mapping[str, object], shared: Shared) -> Iterator[Step]:
    for index, part in enumerate(_message_parts(message)):
        place = {**shared, "id": f"{shared['id']}#{index}" if index else shared["id"]}
        if part.get("type") == "toolCall":
            yield from _call_step(part, place)
        elif part.get("type") == "text" and (text := get_text(part, "text").strip()):
            yield transcript.AgentMessage.of({**place, "text": text})
    if message.get("stopReason") == "aborted":
        yield transcript.InterruptStep.of(shared)


def _call_step(part: Mapping[str, object], shared: Shared) -> Iterator[Step]:
    shared = {**shared, "id": get_text(part, "id") or shared["id"]}
    their, given = get_text(part, "name"), part.get("arguments")
    if isinstance(given, dict):
        given = TOOLS.our_arguments(their, given)
    tool = TOOLS.our_name(their)
    arguments = drop_surrogates(json.dumps(given, ensure_ascii=False, separators=(",", ":")))
    yield transcript.CallStep.of({**shared, "tool": tool, "arguments": arguments})
    if tool != "Read" or not isinstance(given, dict):
        return
    path = get_text(given, "file_path")
    if path.endswith(_SKILL_FILE):
        name = path.removesuffix(_SKILL_FILE).rpartition("/")[2]
        yield transcript.SkillStep.of({**shared, "name": name, "how": "read"})


def _result_step(message: Mapping[str, object], shared: Shared) -> Iterator[Step]:
    call, tool = get_text(message, "toolCallId"), get_text(message, "toolName")
    if not call:
        return
    failed = message.get("isError") is True
    whole = "\n".join(_joined_texts(message))
    why = words.classify_refusal(whole, tool) if failed else ""
    text = "\n".join(text for text in _joined_texts(message) if not words.is_our_text(text))
    told = {
        "text": words.describe_failure(text) if failed else words.strip_wrapping(text),
        "failed": failed,
    }
    yield transcript.ResultStep.of({**shared, **told, "refusal": why, "id": call})


def _joined_texts(message: Mapping[str, object]) -> list[str]:
    return [
        get_text(part, "text") for part in _message_parts(message) if part.get("type") == "text"
    ]


def _message_parts(message: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """Yield message parts; a plain text is a single part."""
    content = message.get("content")
    if isinstance(content, str):
        yield {"type": "text", "text": content}
    elif isinstance(content, list):
        for part in content:
            yield part if isinstance(part, dict) else {}


def _parse_moment(text: str) -> int:
    """Parse a time; 0 if absent."""
    try:
        return moment.parse_stamp(text)
    except ValueError:
        return 0
