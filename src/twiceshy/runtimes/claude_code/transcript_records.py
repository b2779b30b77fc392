"""Translate Claude Code records to steps; unknown shapes are skipped."""

from __future__ import annotations

from twiceshy.core import transcript
from twiceshy.core.value import Value
from twiceshy.runtimes.claude_code import transcript_words as words
from twiceshy.runtimes.records import (
    build_call,
    build_skill_uses,
    get_text,
    get_value,
    list_blocks,
    parse_moment,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.transcript import Step
    from twiceshy.runtimes.records import Record, Shared

_UNKNOWN_AGENT = "sidechain"  # what older versions wrote into the same file has no id


class RecordOrigin(Value):
    """Facts of the file for records without their own."""

    session: str = ""
    agent: str = ""
    automatic: bool = False
    id: str = ""


class _RecordPlace(Value):
    """Position of a record; fields shared by its steps."""

    id: str
    session: str
    cwd: str
    at: int
    agent: str
    skill: str

    def shared_fields(self, index: int = 0) -> Shared:
        """Return the fields of the step at block ``index``."""
        return {**self.fields(), "id": f"{self.id}#{index}" if index else self.id}


def translate_record(record: Record, origin: RecordOrigin) -> Iterator[Step]:
    """Yield the steps of a record, in order."""
    place = _build_place(record, origin)
    match record.get("type"):
        case "user":
            yield from _user_steps(record, place, origin)
        case "assistant":
            yield from _agent_steps(record, place)
        case "attachment":
            yield from _queued_steps(record.get("attachment"), place)
        case _:
            return


def compaction_trigger(record: Record) -> str:
    """Return the compaction trigger of a record: auto or manual; empty if none."""
    if record.get("subtype") != "compact_boundary":
        return ""
    return "auto" if get_value(record, "compactMetadata", "trigger") == "auto" else "manual"


def _build_place(record: Record, origin: RecordOrigin) -> _RecordPlace:
    aside = record.get("isSidechain") is True or origin.agent != ""
    agent = get_text(record, "agentId") or origin.agent or _UNKNOWN_AGENT
    return _RecordPlace(
        id=get_text(record, "uuid") or origin.id,
        session=get_text(record, "sessionId") or origin.session,
        cwd=get_text(record, "cwd"),
        at=parse_moment(get_text(record, "timestamp")),
        agent=agent if aside else "",
        skill=get_text(record, "attributionSkill"),
    )


def _user_steps(record: Record, place: _RecordPlace, origin: RecordOrigin) -> Iterator[Step]:
    """Yield user messages and tool results, which arrive in the user's name."""
    written = record.get("isMeta") is True or place.agent != "" or not _is_human_prompt(record)
    for index, block in enumerate(list_blocks(get_value(record, "message", "content"))):
        if block.get("type") == "tool_result":
            yield from _result_step(block, record, place)
        elif (text := get_text(block, "text")) and not written:
            yield from _message_step(
                text, record, place.shared_fields(index), automatic=origin.automatic
            )


def _message_step(text: str, record: Record, shared: Shared, *, automatic: bool) -> Iterator[Step]:
    opening = text.lstrip()
    if record.get("isCompactSummary") is True or opening.startswith(words.CONTINUED):
        left = words.extract_summary(text)
        yield transcript.SummaryStep.of({**shared, "summary": left, "automatic": automatic})
    elif opening.startswith(words.INTERRUPTED):
        yield transcript.InterruptStep.of(shared)
    elif opening.startswith("<command-message>"):
        # commands of Claude Code itself begin with their name; skills with their message
        name = words.extract_tag(text, "command-name").removeprefix("/")
        given = words.extract_tag(text, "command-args")
        yield transcript.SkillStep.of({**shared, "name": name, "arguments": given, "how": "slash"})
    elif said := words.extract_user_words(text):
        yield transcript.UserMessage.of({**shared, "text": said})


def _result_step(block: Record, record: Record, place: _RecordPlace) -> Iterator[Step]:
    call = get_text(block, "tool_use_id")
    if not call:
        return
    text = words.strip_agent_notes(
        "\n".join(get_text(each, "text") for each in list_blocks(block.get("content")))
    )
    failed, denial = block.get("is_error") is True, get_text(record, "toolDenialKind")
    why, reason = words.classify_refusal(text, denial) if failed else ("", "")
    vouched = bool(denial)
    if not why and get_value(record, "toolUseResult", "interrupted") is True:
        why, vouched = "interrupted", True
    told = {
        "text": words.strip_error_tag(text),
        "failed": failed,
        "refusal": why,
        "reason": reason,
    }
    yield transcript.ResultStep.of(
        {**place.shared_fields(), **told, "vouched": vouched, "id": call}
    )


def _agent_steps(record: Record, place: _RecordPlace) -> Iterator[Step]:
    """Yield agent messages and tool calls, without Claude Code's own messages."""
    made_up = get_value(record, "message", "model") == "<synthetic>"
    if made_up or record.get("isApiErrorMessage") is True:
        return
    for index, block in enumerate(list_blocks(get_value(record, "message", "content"))):
        if block.get("type") == "tool_use":
            yield from _call_step(block, place.shared_fields(index))
        elif text := get_text(block, "text").strip():
            yield transcript.AgentMessage.of({**place.shared_fields(index), "text": text})


def _call_step(block: Record, shared: Shared) -> Iterator[Step]:
    shared = {**shared, "id": get_text(block, "id") or shared["id"]}
    tool, given = get_text(block, "name"), block.get("input")
    yield build_call(tool, given, shared)
    yield from build_skill_uses(tool, given, shared)


def _queued_steps(attachment: object, place: _RecordPlace) -> Iterator[Step]:
    """Yield text typed by the user during work, which never becomes a prompt."""
    if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
        return
    if attachment.get("commandMode", "prompt") != "prompt" or not _is_human_prompt(attachment):
        return
    for index, block in enumerate(list_blocks(attachment.get("prompt"))):
        if place.agent == "" and (said := words.extract_user_words(get_text(block, "text"))):
            yield transcript.UserMessage.of({**place.shared_fields(index), "text": said})


def _is_human_prompt(record: Record) -> bool:
    """True if a prompt came from a person or their program, not from Claude Code."""
    kind = get_value(record, "origin", "kind")
    return kind in (None, "human") and record.get("promptSource") != "system"
