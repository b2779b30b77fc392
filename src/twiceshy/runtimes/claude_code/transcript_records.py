"""Translate Claude Code records to steps; unknown shapes are skipped.

A person's words are separated from tagged text by Claude Code, hooks or us.
"""

from __future__ import annotations

from twiceshy.core import transcript
from twiceshy.core.value import Value
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

    from twiceshy.core.transcript import Refusal, Step
    from twiceshy.runtimes.records import Record, Shared

_UNKNOWN_AGENT = "sidechain"  # what older versions wrote into the same file has no id
CONTINUED = "This session is being continued from a previous conversation"
INTERRUPTED = "[Request interrupted by user"

# Notes for the agent, which stand beside a prompt or inside what a tool returned.
_NOTES = ("system-reminder", "skill-memory", "project-memory", "twiceshy-note")
_MACHINES = (
    *_NOTES,
    *("command-name", "command-message", "command-args", "command-contents"),
    *("local-command-stdout", "local-command-stderr", "local-command-caveat"),
    *("bash-input", "bash-stdout", "bash-stderr", "task-notification", "task-status"),
    *("ide_opened_file", "ide_selection", "ide_diagnostics", "new-diagnostics", "total_tokens"),
    *("user-prompt-submit-hook", "session-start-hook", "teammate-message"),
)
# The user agreed to a plan and began anew with it; all but its title is the agent's.
_PLAN = "Implement the following plan:"
_NOT_SAID = (
    CONTINUED,
    INTERRUPTED,
    "Caveat: The messages below",
    "Base directory for this skill:",
)
_REJECTED = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action",
    "The agent proposed a plan that was rejected by the user",
)
_SAID = "the user said:"
_BY_CLIENT = "The user wants to clarify these questions."  # where a reason of theirs would stand
_ASIDE = "\n\nNote: The user's next message"
_ERROR, _ERROR_END = "<tool_use_error>", "</tool_use_error>"
_CANCELLED = ("Sibling tool call errored", "Cancelled: parallel tool call")
_DENIED = ("Permission to use ", "Claude requested permissions to ")


class RecordOrigin(Value):
    """Facts of the file for records without their own."""

    session: str = ""
    agent: str = ""
    automatic: bool = False
    id: str = ""


def translate_record(record: Record, origin: RecordOrigin) -> Iterator[Step]:
    """Yield the steps of a record, in order."""
    shared = _build_shared(record, origin)
    match record.get("type"):
        case "user":
            yield from _user_steps(record, shared, automatic=origin.automatic)
        case "assistant":
            yield from _agent_steps(record, shared)
        case "attachment":
            yield from _queued_steps(record.get("attachment"), shared)
        case _:
            return


def compaction_trigger(record: Record) -> str:
    """Return the compaction trigger of a record: auto or manual; empty if none."""
    if record.get("subtype") != "compact_boundary":
        return ""
    return "auto" if get_value(record, "compactMetadata", "trigger") == "auto" else "manual"


def _build_shared(record: Record, origin: RecordOrigin) -> Shared:
    """Return the fields shared by the steps of a record."""
    aside = record.get("isSidechain") is True or origin.agent != ""
    agent = get_text(record, "agentId") or origin.agent or _UNKNOWN_AGENT
    return {
        "id": get_text(record, "uuid") or origin.id,
        "session": get_text(record, "sessionId") or origin.session,
        "cwd": get_text(record, "cwd"),
        "at": parse_moment(get_text(record, "timestamp")),
        "agent": agent if aside else "",
        "skill": get_text(record, "attributionSkill"),
    }


def _at_block(shared: Shared, index: int) -> Shared:
    """Return the fields of the step at block ``index`` of a record."""
    return {**shared, "id": f"{shared['id']}#{index}" if index else shared["id"]}


def _user_steps(record: Record, shared: Shared, *, automatic: bool) -> Iterator[Step]:
    """Yield user messages and tool results, which arrive in the user's name."""
    written = record.get("isMeta") is True or shared["agent"] != "" or not _is_human_prompt(record)
    for index, block in enumerate(list_blocks(get_value(record, "message", "content"))):
        if block.get("type") == "tool_result":
            yield from _result_step(block, record, shared)
        elif (text := get_text(block, "text")) and not written:
            here = _at_block(shared, index)
            yield from _message_step(text, record, here, automatic=automatic)


def _message_step(text: str, record: Record, shared: Shared, *, automatic: bool) -> Iterator[Step]:
    opening = text.lstrip()
    if record.get("isCompactSummary") is True or opening.startswith(CONTINUED):
        left = extract_summary(text)
        yield transcript.SummaryStep.of({**shared, "summary": left, "automatic": automatic})
    elif opening.startswith(INTERRUPTED):
        yield transcript.InterruptStep.of(shared)
    elif opening.startswith("<command-message>"):
        # commands of Claude Code itself begin with their name; skills with their message
        name = extract_tag(text, "command-name").removeprefix("/")
        given = extract_tag(text, "command-args")
        yield transcript.SkillStep.of({**shared, "name": name, "arguments": given, "how": "slash"})
    elif said := extract_user_words(text):
        yield transcript.UserMessage.of({**shared, "text": said})


def _result_step(block: Record, record: Record, shared: Shared) -> Iterator[Step]:
    call = get_text(block, "tool_use_id")
    if not call:
        return
    text = strip_agent_notes(
        "\n".join(get_text(each, "text") for each in list_blocks(block.get("content")))
    )
    failed, denial = block.get("is_error") is True, get_text(record, "toolDenialKind")
    why, reason = classify_refusal(text, denial) if failed else ("", "")
    vouched = bool(denial)
    if not why and get_value(record, "toolUseResult", "interrupted") is True:
        why, vouched = "interrupted", True
    text = text.removeprefix(_ERROR).removesuffix(_ERROR_END)
    told = {"text": text, "failed": failed, "refusal": why, "reason": reason}
    yield transcript.ResultStep.of({**shared, **told, "vouched": vouched, "id": call})


def _agent_steps(record: Record, shared: Shared) -> Iterator[Step]:
    """Yield agent messages and tool calls, without Claude Code's own messages."""
    made_up = get_value(record, "message", "model") == "<synthetic>"
    if made_up or record.get("isApiErrorMessage") is True:
        return
    for index, block in enumerate(list_blocks(get_value(record, "message", "content"))):
        if block.get("type") == "tool_use":
            tool, given = get_text(block, "name"), block.get("input")
            here = {**shared, "id": get_text(block, "id") or _at_block(shared, index)["id"]}
            yield build_call(tool, given, here)
            yield from build_skill_uses(tool, given, here)
        elif text := get_text(block, "text").strip():
            yield transcript.AgentMessage.of({**_at_block(shared, index), "text": text})


def _queued_steps(attachment: object, shared: Shared) -> Iterator[Step]:
    """Yield text typed by the user during work, which never becomes a prompt."""
    if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
        return
    if attachment.get("commandMode", "prompt") != "prompt" or not _is_human_prompt(attachment):
        return
    for index, block in enumerate(list_blocks(attachment.get("prompt"))):
        if shared["agent"] == "" and (said := extract_user_words(get_text(block, "text"))):
            yield transcript.UserMessage.of({**_at_block(shared, index), "text": said})


def _is_human_prompt(record: Record) -> bool:
    """True if a prompt came from a person or their program, not from Claude Code."""
    kind = get_value(record, "origin", "kind")
    return kind in (None, "human") and record.get("promptSource") != "system"


def extract_user_words(text: str) -> str:
    """Return the user's own words; empty for machine text."""
    text = _remove_tags(text, _MACHINES).strip()
    if text.startswith(_PLAN):
        title = text.removeprefix(_PLAN).lstrip().partition("\n")[0]
        return f"{_PLAN} {title}".strip()
    return "" if text.startswith(_NOT_SAID) else text


def strip_agent_notes(text: str) -> str:
    """Return a tool result without notes for the agent."""
    return _remove_tags(text, _NOTES).strip("\n")


def extract_summary(text: str) -> str:
    """Return a compaction summary without Claude Code's framing sentences."""
    text = _remove_tags(text, _NOTES)
    inner = text.partition("\nSummary:")[2] or text.partition("\n")[2]
    return inner.partition("\nIf you need specific details from before compaction")[0].strip()


def extract_tag(text: str, tag: str) -> str:
    """Return the text inside a tag; empty if absent."""
    _, opened, rest = text.partition(f"<{tag}>")
    inner, closed, _ = rest.partition(f"</{tag}>")
    return inner.strip() if opened and closed else ""


def classify_refusal(text: str, denial: str) -> tuple[Refusal, str]:
    """Return the reason a failed call did not finish, and the user's comment."""
    if text.startswith(_REJECTED) or denial == "user-rejected":
        said = text.partition(_SAID)[2].partition(_ASIDE)[0].strip()
        return "rejected", "" if said.startswith(_BY_CLIENT) else said
    if any(line.startswith(INTERRUPTED) for line in text.split("\n", 2)[:2]):
        return "interrupted", ""
    if text.startswith(_ERROR):
        cancelled = text[len(_ERROR) :].startswith(_CANCELLED)
        return "cancelled" if cancelled else "invalid", ""
    if text.startswith(_DENIED) or denial:
        return "denied", ""
    return "", ""


def _remove_tags(text: str, tags: tuple[str, ...]) -> str:
    """Remove tagged text at line starts."""
    present = [tag for tag in tags if f"<{tag}" in text]
    kept: list[str] = []
    at = 0
    while present and (found := _find_opening_tag(text, at, present)):
        start, tag = found
        end = text.find(f"</{tag}>", start)
        if end < 0 and text[:start].strip():
            break  # somebody writes about the tag
        kept.append(text[at:start])
        at = len(text) if end < 0 else end + len(tag) + 3
    return "".join([*kept, text[at:]])


def _find_opening_tag(text: str, behind: int, tags: list[str]) -> tuple[int, str] | None:
    """Return position and name of the next opening tag."""
    at = text.find("<", behind)
    while at >= 0:
        line = max(text.rfind("\n", 0, at) + 1, behind)
        name = text[at + 1 : at + 40].replace(">", " ").split(" ", 1)[0].partition("\n")[0]
        if name in tags and not text[line:at].strip():
            return at, name
        at = text.find("<", at + 1)
    return None
