"""Translate Gemini CLI chat records to steps; unknown shapes are skipped."""

from __future__ import annotations

import json
from itertools import pairwise

from twiceshy.core import moment, transcript
from twiceshy.core.value import Value
from twiceshy.runtimes.gemini import names, outcome
from twiceshy.runtimes.gemini.calls import call_id
from twiceshy.runtimes.jsonl import sound, text_at

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from twiceshy.core.transcript import Refusal, Result, Step

    Record = Mapping[str, object]

_SKILL_FILE = "/SKILL.md"
INTRODUCTION = "<session_context>"
_SNAPSHOT, _SNAPSHOT_END = "<state_snapshot>", "</state_snapshot>"
_SUMMED_UP = "Got it. Thanks for the additional context!"  # put into the agent's mouth
_NOT_SAID = (INTRODUCTION, _SNAPSHOT, "System: ", "Please continue.")
_INTERRUPTED = ("Request cancelled.", "User cancelled the request.")
_OVER = ("success", "error", "cancelled")
_REJECTED, _BESIDE = "User denied execution", "User cancelled operation"
_BLOCKED = ("Tool execution blocked: ", "Tool execution denied by policy", "Tool execution for ")
_MISCALLED = ("params must ", "params/", 'Tool "')


class Origin(Value):
    """Facts of the file for every record."""

    session: str = ""
    cwd: str = ""
    agent: str = ""

    def shared(self, record: Record, step: str) -> dict[str, object]:
        """Return the fields of every step of a record."""
        at = _moment(text_at(record, "timestamp"))
        return {
            "id": step,
            "session": self.session,
            "cwd": self.cwd,
            "at": at,
            "agent": self.agent,
        }


def said_by_user(record: Record, origin: Origin, made: str) -> Iterator[Step]:
    """Yield user messages; tool results and client text also arrive in the user's name."""
    content = record.get("displayContent") or record.get("content")
    parts = content if isinstance(content, list) else [content]
    if origin.agent or any(
        isinstance(part, dict) and "functionResponse" in part for part in parts
    ):
        return
    text = outcome.without_hooks(sound(outcome.text_of(content))).strip()
    if text and not text.startswith(_NOT_SAID) and not _is_command(text):
        shared = origin.shared(record, text_at(record, "id") or made)
        yield transcript.UserSaid.of({**shared, "text": text})


def said_by_client(record: Record, origin: Origin, made: str) -> Iterator[Step]:
    """Yield an interrupt, if reported by the client."""
    if outcome.text_of(record.get("content")).startswith(_INTERRUPTED):
        yield transcript.Interrupted.of(origin.shared(record, text_at(record, "id") or made))


def said_by_agent(record: Record, origin: Origin, made: str) -> Iterator[Step]:
    """Yield agent messages, without the client's insertions."""
    text = sound(outcome.text_of(record.get("content"))).strip()
    if text and text != _SUMMED_UP:
        shared = origin.shared(record, text_at(record, "id") or made)
        yield transcript.AgentSaid.of({**shared, "text": text})


def calls_of(record: Record) -> list[Record]:
    """Return finished calls of a message."""
    calls = record.get("toolCalls")
    listed = calls if isinstance(calls, list) else []
    return [call for call in listed if isinstance(call, dict) and call.get("status") in _OVER]


def called(calls: Sequence[Record], record: Record, origin: Origin, made: str) -> Iterator[Step]:
    """Yield calls, then results: calls of a message run in parallel."""
    message = text_at(record, "id") or made
    results = []
    for call in calls:
        tool, args = text_at(call, "name"), call.get("args")
        given: Record = args if isinstance(args, dict) else {}
        shared = origin.shared(
            record, call_id(message, tool, given) or text_at(call, "id") or made
        )
        yield from _call(call, tool, given, shared)
        at = _moment(text_at(call, "timestamp")) or shared["at"]
        results.append(_result(call, tool, {**shared, "at": at}))
    yield from results


def summary_of(messages: object, origin: Origin) -> Iterator[Step]:
    """Yield the summary of a compression."""
    listed = messages if isinstance(messages, list) else []
    for message, answer in pairwise(listed):
        if not (isinstance(message, dict) and isinstance(answer, dict)):
            continue
        if outcome.text_of(answer.get("content")) == _SUMMED_UP and (
            step := text_at(message, "id")
        ):
            text = sound(outcome.text_of(message.get("content")))
            inner = text.partition(_SNAPSHOT)[2].partition(_SNAPSHOT_END)[0]
            summary = (inner or text).strip()
            yield transcript.Summarised.of({**origin.shared(message, step), "summary": summary})


def _call(call: Record, tool: str, given: Record, shared: dict[str, object]) -> Iterator[Step]:
    cwd = str(shared["cwd"])
    name = names.named_by(text_at(call, "displayName")) or names.TOOLS.name(tool)
    arguments = names.arguments_of(tool, given, cwd)
    written = _written(arguments)
    place = names.place_of(tool, given, cwd)
    yield transcript.Called.of({**shared, "cwd": place, "tool": name, "arguments": written})
    if call.get("status") != "success":
        return
    if name == "Skill":
        yield transcript.SkillUsed.of({**shared, "name": text_at(arguments, "skill")})
    elif name == "Read" and (path := text_at(arguments, "file_path")).endswith(_SKILL_FILE):
        skill = path.removesuffix(_SKILL_FILE).rpartition("/")[2]
        yield transcript.SkillUsed.of({**shared, "name": skill, "how": "read"})


def _written(arguments: Record) -> str:
    try:
        return sound(json.dumps(arguments, ensure_ascii=False, separators=(",", ":")))
    except RecursionError:
        return "{}"


def _result(call: Record, tool: str, shared: dict[str, object]) -> Result:
    output, error = _answer(call.get("result"))
    if call.get("status") == "cancelled":
        told: dict[str, object] = {"text": error, "failed": True, "vouched": True}
        return transcript.Result.of({**shared, **told, "refusal": _why_cancelled(error)})
    if call.get("status") == "error":
        text = outcome.of_server(error or outcome.bare(output))
        told = {"text": text, "failed": True, "refusal": _why_refused(text)}
        return transcript.Result.of({**shared, **told})
    if tool != names.SHELL:
        return transcript.Result.of({**shared, "text": outcome.bare(output)})
    ended = outcome.of_command(output, call.get("resultDisplay"))
    refusal = "interrupted" if ended.stopped else ""
    told = {"text": ended.error, "failed": bool(ended.failure), "refusal": refusal}
    return transcript.Result.of({**shared, **told, "vouched": ended.stopped})


def _answer(result: object) -> tuple[str, str]:
    """Return a tool's answer and error."""
    for part in result if isinstance(result, list) else ():
        if isinstance(part, dict) and isinstance(part.get("functionResponse"), dict):
            answer = ("functionResponse", "response")
            return text_at(part, *answer, "output"), text_at(part, *answer, "error")
    return "", ""


def _why_cancelled(text: str) -> Refusal:
    if _REJECTED in text:
        return "rejected"
    return "cancelled" if _BESIDE in text else "interrupted"


def _why_refused(text: str) -> Refusal:
    if text.startswith(_BLOCKED):
        return "denied"
    miscalled = text.startswith(_MISCALLED)
    return "invalid" if miscalled and (" must " in text or " not found" in text) else ""


def _is_command(text: str) -> bool:
    """True for a client command such as ``/compress``; a path has more slashes."""
    word = text.split(None, 1)[0]
    return len(word) > 1 and word[0] == "/" and "/" not in word[1:]


def _moment(text: str) -> int:
    """Parse a time; 0 if absent."""
    try:
        return moment.parse_stamp(text)
    except ValueError:
        return 0
