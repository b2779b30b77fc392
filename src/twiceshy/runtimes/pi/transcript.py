"""Pi transcripts: a tree of entries in a file, read in writing order.

An abandoned branch happened all the same. An entry id is short and unique in its file only;
with its time it is recognised in copies made by forks.
"""

from __future__ import annotations

import json

from twiceshy.core import moment, transcript
from twiceshy.runtimes import jsonl
from twiceshy.runtimes.jsonl import size_of, sound, text_at
from twiceshy.runtimes.pi import words
from twiceshy.runtimes.pi.tools import TOOLS
from twiceshy.runtimes.pi.transcript_places import (
    everywhere,
    opening_of,
    parts_of,
    session_of,
    transcript_of,
    wrote,
)
from twiceshy.safety.names import session_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from twiceshy.core.transcript import Step
    from twiceshy.runtimes.jsonl import Record

    Shared = dict[str, object]

__all__ = [
    "everywhere",
    "opening_of",
    "parts_of",
    "read",
    "session_of",
    "size_of",
    "transcript_of",
    "wrote",
]

SETTING = "transcripts.pi"
_SKILL_FILE = "/SKILL.md"
_SKILL, _SKILL_END = '<skill name="', "</skill>"
_FILE, _FILE_END = '<file name="', "</file>"


class Records:
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
        at = text_at(record, "timestamp")
        entry = text_at(record, "id")
        shared: Shared = {
            "id": f"{entry}@{at}" if entry else made,
            "session": self._session or session_of(self._path),
            "cwd": self._began_in(),
            "at": _moment(at),
        }
        match record.get("type"):
            case "message":
                message = record.get("message")
                yield from _said(message, shared) if isinstance(message, dict) else ()
            case "compaction":
                if summary := text_at(record, "summary").strip():
                    yield transcript.Summarised.of({**shared, "summary": summary})
            case _:
                return

    def _began_in(self) -> str:
        if self._cwd is None:
            self._cwd = opening_of(self._path).cwd
        return self._cwd


def read(
    path: str, *, after: str = "", known: set[str] | None = None, session: str = ""
) -> jsonl.Reading:
    """Return a pass over a transcript that yields its steps.

    ``after`` is the position of an earlier pass: only later content is read, everything if the
    file shrank or was replaced. ``known`` are the keys of steps read before, in this file or
    another; the pass adds to the set. With ``session``, records of other sessions are skipped.
    """
    if session:
        session_name(session)
    return jsonl.Reading(path, after, set() if known is None else known, Records(path, session))


def _said(message: Mapping[str, object], shared: Shared) -> Iterator[Step]:
    """Yield the steps of a message, without extensions, summaries and the user's own shell."""
    match message.get("role"):
        case "user":
            yield from _by_user("\n".join(_texts(message)), shared)
        case "assistant":
            yield from _by_agent(message, shared)
        case "toolResult":
            yield from _result(message, shared)
        case _:
            return


def _by_user(text: str, shared: Shared) -> Iterator[Step]:
    text = _without_files(text).strip()
    if text.startswith(_SKILL):
        name = text[len(_SKILL) :].partition('"')[0]
        # the last end counts: what a SKILL.md says must never pass for the user's words
        text = text.rpartition(_SKILL_END)[2].strip() if _SKILL_END in text else ""
        yield transcript.SkillUsed.of({**shared, "name": name, "arguments": text, "how": "slash"})
    if text:
        yield transcript.UserSaid.of({**shared, "text": text})


def _without_files(text: str) -> str:
    """Return a prompt without files named on the command line."""
    if not text.startswith(_FILE):
        return text
    _, ended, said = text.rpartition(_FILE_END)  # the last end: files hold what they want
    return said if ended else ""


def _by_agent(message: Mapping[str, object], shared: Shared) -> Iterator[Step]:
    for index, part in enumerate(_parts(message)):
        place = {**shared, "id": f"{shared['id']}#{index}" if index else shared["id"]}
        if part.get("type") == "toolCall":
            yield from _call(part, place)
        elif part.get("type") == "text" and (text := text_at(part, "text").strip()):
            yield transcript.AgentSaid.of({**place, "text": text})
    if message.get("stopReason") == "aborted":
        yield transcript.Interrupted.of(shared)


def _call(part: Mapping[str, object], shared: Shared) -> Iterator[Step]:
    shared = {**shared, "id": text_at(part, "id") or shared["id"]}
    their, given = text_at(part, "name"), part.get("arguments")
    if isinstance(given, dict):
        given = TOOLS.arguments(their, given)
    tool = TOOLS.name(their)
    arguments = sound(json.dumps(given, ensure_ascii=False, separators=(",", ":")))
    yield transcript.Called.of({**shared, "tool": tool, "arguments": arguments})
    if tool != "Read" or not isinstance(given, dict):
        return
    path = text_at(given, "file_path")
    if path.endswith(_SKILL_FILE):
        name = path.removesuffix(_SKILL_FILE).rpartition("/")[2]
        yield transcript.SkillUsed.of({**shared, "name": name, "how": "read"})


def _result(message: Mapping[str, object], shared: Shared) -> Iterator[Step]:
    call, tool = text_at(message, "toolCallId"), text_at(message, "toolName")
    if not call:
        return
    failed = message.get("isError") is True
    whole = "\n".join(_texts(message))
    why = words.refusal(whole, tool) if failed else ""
    text = "\n".join(text for text in _texts(message) if not words.by_us(text))
    told = {"text": words.failure(text) if failed else words.output(text), "failed": failed}
    yield transcript.Result.of({**shared, **told, "refusal": why, "id": call})


def _texts(message: Mapping[str, object]) -> list[str]:
    return [text_at(part, "text") for part in _parts(message) if part.get("type") == "text"]


def _parts(message: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """Yield message parts; a plain text is a single part."""
    content = message.get("content")
    if isinstance(content, str):
        yield {"type": "text", "text": content}
    elif isinstance(content, list):
        for part in content:
            yield part if isinstance(part, dict) else {}


def _moment(text: str) -> int:
    """Parse a time; 0 if absent."""
    try:
        return moment.parse_stamp(text)
    except ValueError:
        return 0
