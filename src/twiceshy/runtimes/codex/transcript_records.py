"""Translate Codex rollout records to steps; unknown shapes are skipped.

Content appears twice: as conversation items, sent to the model, and as events. Words are
taken from events, where only the user speaks as the user; calls from items; and results from
whichever comes first.
"""

from __future__ import annotations

import json

from twiceshy.core import moment, transcript
from twiceshy.core.value import Value
from twiceshy.runtimes.codex import transcript_words as words
from twiceshy.runtimes.codex.patch import change_of
from twiceshy.runtimes.codex.skill_words import skill_read
from twiceshy.runtimes.codex.transcript_calls import call_of, place_of, shell_line
from twiceshy.runtimes.jsonl import sound, text_at

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from twiceshy.core.transcript import Step
    from twiceshy.runtimes.codex.transcript_words import Ended
    from twiceshy.runtimes.jsonl import Record

NESTED = "exec-"  # how the ids of calls begin that a program of the model made
_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_OUTPUTS = ("function_call_output", "custom_tool_call_output")
_LOADED = "<skill>\n<name>"
_LOADED_KIND = "skills.selected_skill_instructions"


class Origin(Value):
    """Facts of the file: session, agent, directory."""

    session: str = ""
    agent: str = ""
    cwd: str = ""
    id: str = ""


def steps_of(record: Record, origin: Origin) -> Iterator[Step]:
    """Yield the steps of a record, in order."""
    inner = record.get("payload")
    payload: Record = inner if isinstance(inner, dict) else {}
    shared: dict[str, object] = {**origin.fields(), "at": _moment(text_at(record, "timestamp"))}
    match record.get("type"):
        case "response_item":
            yield from _from_item(payload, shared)
        case "event_msg":
            yield from _from_event(payload, shared)
        case "compacted":
            if left := words.left_over(text_at(payload, "message")):
                yield transcript.Summarised.of({**shared, "summary": left})
        case _:
            return


def _from_item(item: Record, shared: dict[str, object]) -> Iterator[Step]:
    kind, call = item.get("type"), text_at(item, "call_id")
    if kind == "message":
        yield from _skill(item, shared)
    elif kind in _CALLS and call:
        here = {**shared, "id": call, "cwd": place_of(item, str(shared["cwd"]))}
        if made := call_of(item, str(here["cwd"])):
            yield from _called(*made, here)
    elif kind in _OUTPUTS and call:
        result = words.ended(_text(item.get("output")))
        if not result.open:
            yield _result(result, {**shared, "id": call})


def _skill(item: Record, shared: dict[str, object]) -> Iterator[Step]:
    """Yield the skill loaded by a mention; its text arrives in the user's name."""
    text = _text(item.get("content"))
    about = item.get("internal_chat_message_metadata_passthrough")
    kinds = about.get("content_item_kinds") if isinstance(about, dict) else None
    by_client = _LOADED_KIND in kinds if isinstance(kinds, list) else True
    if item.get("role") == "user" and text.startswith(_LOADED) and by_client:
        name = text[len(_LOADED) :].partition("</name>")[0]
        shared = {**shared, "id": text_at(item, "id") or shared["id"]}
        yield transcript.SkillUsed.of({**shared, "name": name, "how": "slash"})


def _called(tool: str, given: Mapping[str, object], shared: dict[str, object]) -> Iterator[Step]:
    arguments = sound(json.dumps(given, ensure_ascii=False, separators=(",", ":")))
    yield transcript.Called.of({**shared, "tool": tool, "arguments": arguments})
    if tool == "Bash" and (path := skill_read(text_at(given, "command"))):
        name = path.rpartition("/")[0].rpartition("/")[2]
        yield transcript.SkillUsed.of({**shared, "name": name, "how": "read"})


def _from_event(event: Record, shared: dict[str, object]) -> Iterator[Step]:
    match event.get("type"):
        case "item_completed":
            item = event.get("item")
            if isinstance(item, dict):
                yield from _completed(item, {**shared, "id": text_at(item, "id") or shared["id"]})
        case "user_message":
            yield from _said(text_at(event, "message"), shared)
        case "agent_message":
            yield from _answered(text_at(event, "message"), shared)
        case "turn_aborted" if event.get("reason") == "interrupted" and not shared["agent"]:
            told = text_at(event, "turn_id") or shared["id"]
            yield transcript.Interrupted.of({**shared, "id": told})
        case _:
            return


def _completed(item: Record, shared: dict[str, object]) -> Iterator[Step]:
    match item.get("type"):
        case "UserMessage":
            yield from _said(_text(item.get("content")), shared)
        case "AgentMessage":
            yield from _answered(_text(item.get("content")), shared)
        case "CommandExecution" if item.get("source") != "user_shell":
            yield from _ran(item, {**shared, "cwd": place_of(item, str(shared["cwd"]))})
        case "McpToolCall":
            yield from _asked(item, shared)
        case "FileChange":
            yield from _changed(item, shared)
        case _:
            return


def _said(text: str, shared: dict[str, object]) -> Iterator[Step]:
    """Yield user messages; words to an agent are another agent's."""
    if not shared["agent"] and (said := words.spoken(text)):
        yield transcript.UserSaid.of({**shared, "text": said})


def _answered(text: str, shared: dict[str, object]) -> Iterator[Step]:
    if text := text.strip():
        yield transcript.AgentSaid.of({**shared, "text": text})


def _ran(item: Record, shared: dict[str, object]) -> Iterator[Step]:
    if _nested(shared):
        yield from _called("Bash", {"command": shell_line(item.get("command"))}, shared)
    code = item.get("exit_code")
    printed = text_at(item, "aggregated_output")
    if item.get("status") == "declined":
        yield _result(words.Ended(printed, failed=True, refusal="rejected"), shared, vouched=True)
    elif isinstance(code, int):
        yield _result(words.exited(code, printed), shared)


def _asked(item: Record, shared: dict[str, object]) -> Iterator[Step]:
    if _nested(shared):
        tool = f"mcp__{text_at(item, 'server')}__{text_at(item, 'tool')}"
        given = item.get("arguments")
        yield from _called(tool, given if isinstance(given, dict) else {}, shared)
    result = item.get("result")
    text = _text(result.get("content")) if isinstance(result, dict) else ""
    failed = item.get("status") == "failed"
    text = text or text_at(item, "error", "message")
    yield _result(words.Ended(text, failed=failed), shared)


def _changed(item: Record, shared: dict[str, object]) -> Iterator[Step]:
    changes = item.get("changes")
    if _nested(shared) and isinstance(changes, dict):
        path, change = next(iter(changes.items()), ("", {}))
        yield from _called(*change_of(sound(path), change), shared)
    failed = item.get("status") == "failed"
    declined = item.get("status") == "declined"
    text = text_at(item, "stderr" if failed else "stdout")
    ended = words.Ended(text, failed=failed or declined, refusal="rejected" if declined else "")
    yield _result(ended, shared, vouched=declined)


def _nested(shared: dict[str, object]) -> bool:
    return str(shared["id"]).startswith(NESTED)


def _result(ended: Ended, shared: dict[str, object], *, vouched: bool = False) -> Step:
    told = {"text": ended.text.strip("\n"), "failed": ended.failed, "refusal": ended.refusal}
    return transcript.Result.of({**shared, **told, "vouched": vouched})


def _text(content: object) -> str:
    """Return the joined texts of a content, without durations."""
    if isinstance(content, str):
        return sound(content)
    parts = content if isinstance(content, list) else []
    texts = [text_at(part, "text") for part in parts if isinstance(part, dict)]
    if texts and texts[0].startswith("Wall time: ") and texts[0].rstrip().endswith("Output:"):
        texts = texts[1:]
    return "\n".join(filter(None, texts))


def _moment(text: str) -> int:
    """Parse a time; 0 if absent."""
    try:
        return moment.parse_stamp(text)
    except ValueError:
        return 0
