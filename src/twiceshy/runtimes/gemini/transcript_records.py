"""Translate Gemini CLI chat records to steps; unknown shapes are skipped."""

from __future__ import annotations

from itertools import pairwise

from twiceshy.core import transcript
from twiceshy.core.value import Value
from twiceshy.runtimes.gemini import calls
from twiceshy.runtimes.records import (
    build_call,
    build_skill_uses,
    drop_surrogates,
    get_list,
    get_mapping,
    get_text,
    parse_moment,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.transcript import Refusal, ResultStep, Step
    from twiceshy.runtimes.records import Record, Shared

INTRODUCTION = "<session_context>"
_SNAPSHOT, _SNAPSHOT_END = "<state_snapshot>", "</state_snapshot>"
_SUMMED_UP = "Got it. Thanks for the additional context!"  # put into the agent's mouth
_NOT_SAID = (INTRODUCTION, _SNAPSHOT, "System: ", "Please continue.")
_INTERRUPTED = ("Request cancelled.", "User cancelled the request.")
_OVER = ("success", "error", "cancelled")
_REJECTED, _BESIDE = "User denied execution", "User cancelled operation"
_BLOCKED = ("Tool execution blocked: ", "Tool execution denied by policy", "Tool execution for ")
_MISCALLED = ("params must ", "params/", 'Tool "')


class ChatOrigin(Value):
    """Facts of the file for every record."""

    session: str = ""
    cwd: str = ""
    agent: str = ""

    def shared_fields(self, record: Record, step: str) -> Shared:
        """Return the fields of every step of a record."""
        return {**self.fields(), "id": step, "at": parse_moment(get_text(record, "timestamp"))}


def user_steps(record: Record, origin: ChatOrigin, made: str) -> Iterator[Step]:
    """Yield user messages; tool results and client text also arrive in the user's name."""
    content = record.get("displayContent") or record.get("content")
    parts = content if isinstance(content, list) else [content]
    if origin.agent or any(
        isinstance(part, dict) and "functionResponse" in part for part in parts
    ):
        return
    text = calls.strip_hook_context(drop_surrogates(calls.extract_text(content))).strip()
    if text and not text.startswith(_NOT_SAID) and not _is_command(text):
        shared = origin.shared_fields(record, get_text(record, "id") or made)
        yield transcript.UserMessage.of({**shared, "text": text})


def client_steps(record: Record, origin: ChatOrigin, made: str) -> Iterator[Step]:
    """Yield an interrupt, if reported by the client."""
    if calls.extract_text(record.get("content")).startswith(_INTERRUPTED):
        yield transcript.InterruptStep.of(
            origin.shared_fields(record, get_text(record, "id") or made)
        )


def agent_steps(record: Record, origin: ChatOrigin, made: str) -> Iterator[Step]:
    """Yield agent messages, without the client's insertions."""
    text = drop_surrogates(calls.extract_text(record.get("content"))).strip()
    if text and text != _SUMMED_UP:
        shared = origin.shared_fields(record, get_text(record, "id") or made)
        yield transcript.AgentMessage.of({**shared, "text": text})


def finished_calls(record: Record) -> list[Record]:
    """Return finished calls of a message."""
    calls = get_list(record, "toolCalls")
    return [call for call in calls if isinstance(call, dict) and call.get("status") in _OVER]


def call_steps(
    finished: Sequence[Record], record: Record, origin: ChatOrigin, made: str
) -> Iterator[Step]:
    """Yield calls, then results: calls of a message run in parallel."""
    message = get_text(record, "id") or made
    results = []
    for call in finished:
        tool, given = get_text(call, "name"), get_mapping(call, "args")
        shared = origin.shared_fields(
            record, calls.build_call_id(message, tool, given) or get_text(call, "id") or made
        )
        yield from _call_step(call, tool, given, shared)
        at = parse_moment(get_text(call, "timestamp")) or shared["at"]
        results.append(_result_step(call, tool, {**shared, "at": at}))
    yield from results


def summary_steps(messages: object, origin: ChatOrigin) -> Iterator[Step]:
    """Yield the summary of a compression."""
    listed = messages if isinstance(messages, list) else []
    for message, answer in pairwise(listed):
        if not (isinstance(message, dict) and isinstance(answer, dict)):
            continue
        if calls.extract_text(answer.get("content")) == _SUMMED_UP and (
            step := get_text(message, "id")
        ):
            text = drop_surrogates(calls.extract_text(message.get("content")))
            inner = text.partition(_SNAPSHOT)[2].partition(_SNAPSHOT_END)[0]
            summary = (inner or text).strip()
            yield transcript.SummaryStep.of(
                {**origin.shared_fields(message, step), "summary": summary}
            )


def _call_step(call: Record, tool: str, given: Record, shared: Shared) -> Iterator[Step]:
    cwd = str(shared["cwd"])
    name = calls.tool_from_display_name(get_text(call, "displayName")) or calls.TOOLS.our_name(
        tool
    )
    arguments = calls.translate_arguments(tool, given, cwd)
    yield build_call(name, arguments, {**shared, "cwd": calls.call_directory(tool, given, cwd)})
    if call.get("status") == "success":
        yield from build_skill_uses(name, arguments, shared)


def _result_step(call: Record, tool: str, shared: Shared) -> ResultStep:
    output, error = _tool_answer(call.get("result"))
    if call.get("status") == "cancelled":
        told: Shared = {"text": error, "failed": True, "vouched": True}
        return transcript.ResultStep.of({**shared, **told, "refusal": _cancel_reason(error)})
    if call.get("status") == "error":
        text = calls.server_error(error or calls.strip_wrapping(output))
        told = {"text": text, "failed": True, "refusal": _refusal_reason(text)}
        return transcript.ResultStep.of({**shared, **told})
    if tool != calls.SHELL:
        return transcript.ResultStep.of({**shared, "text": calls.strip_wrapping(output)})
    ended = calls.parse_command_outcome(output, call.get("resultDisplay"))
    refusal = "interrupted" if ended.stopped else ""
    told = {"text": ended.error_text, "failed": bool(ended.failure), "refusal": refusal}
    return transcript.ResultStep.of({**shared, **told, "vouched": ended.stopped})


def _tool_answer(result: object) -> tuple[str, str]:
    """Return a tool's answer and error."""
    for part in result if isinstance(result, list) else ():
        if isinstance(part, dict) and isinstance(part.get("functionResponse"), dict):
            answer = ("functionResponse", "response")
            return get_text(part, *answer, "output"), get_text(part, *answer, "error")
    return "", ""


def _cancel_reason(text: str) -> Refusal:
    if _REJECTED in text:
        return "rejected"
    return "cancelled" if _BESIDE in text else "interrupted"


def _refusal_reason(text: str) -> Refusal:
    if text.startswith(_BLOCKED):
        return "denied"
    miscalled = text.startswith(_MISCALLED)
    return "invalid" if miscalled and (" must " in text or " not found" in text) else ""


def _is_command(text: str) -> bool:
    """True for a client command such as ``/compress``; a path has more slashes."""
    word = text.split(None, 1)[0]
    return len(word) > 1 and word[0] == "/" and "/" not in word[1:]
