"""Translate Claude Code records to steps; unknown shapes are skipped."""

from __future__ import annotations

import json

from twiceshy.core import moment, transcript
from twiceshy.core.value import Value
from twiceshy.runtimes.claude_code import transcript_words as words
from twiceshy.runtimes.jsonl import sound, text_at

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from twiceshy.core.transcript import Step

_SKILL_FILE = "/SKILL.md"
_UNKNOWN_AGENT = "sidechain"  # what older versions wrote into the same file has no id


class Origin(Value):
    """Facts of the file for records without their own."""

    session: str = ""
    agent: str = ""
    automatic: bool = False
    id: str = ""


class _Place(Value):
    """Position of a record; fields shared by its steps."""

    id: str
    session: str
    cwd: str
    at: int
    agent: str
    skill: str

    def shared(self, index: int = 0) -> dict[str, object]:
        """Return the fields of the step at block ``index``."""
        return {**self.fields(), "id": f"{self.id}#{index}" if index else self.id}


def steps_of(record: Mapping[str, object], origin: Origin) -> Iterator[Step]:
    """Yield the steps of a record, in order."""
    place = _place(record, origin)
    match record.get("type"):
        case "user":
            yield from _from_user(record, place, origin)
        case "assistant":
            yield from _from_agent(record, place)
        case "attachment":
            yield from _from_queue(record.get("attachment"), place)
        case _:
            return


def trigger(record: Mapping[str, object]) -> str:
    """Return the compaction trigger of a record: auto or manual; empty if none."""
    if record.get("subtype") != "compact_boundary":
        return ""
    return "auto" if _at(record, "compactMetadata", "trigger") == "auto" else "manual"


def _place(record: Mapping[str, object], origin: Origin) -> _Place:
    aside = record.get("isSidechain") is True or origin.agent != ""
    agent = text_at(record, "agentId") or origin.agent or _UNKNOWN_AGENT
    return _Place(
        id=text_at(record, "uuid") or origin.id,
        session=text_at(record, "sessionId") or origin.session,
        cwd=text_at(record, "cwd"),
        at=_moment(text_at(record, "timestamp")),
        agent=agent if aside else "",
        skill=text_at(record, "attributionSkill"),
    )


def _from_user(record: Mapping[str, object], place: _Place, origin: Origin) -> Iterator[Step]:
    """Yield user messages and tool results, which arrive in the user's name."""
    written = record.get("isMeta") is True or place.agent != "" or not _human(record)
    for index, block in enumerate(_blocks(record)):
        if block.get("type") == "tool_result":
            yield from _result(block, record, place)
        elif (text := text_at(block, "text")) and not written:
            yield from _said(text, record, place.shared(index), automatic=origin.automatic)


def _said(
    text: str, record: Mapping[str, object], shared: dict[str, object], *, automatic: bool
) -> Iterator[Step]:
    opening = text.lstrip()
    if record.get("isCompactSummary") is True or opening.startswith(words.CONTINUED):
        left = words.summary(text)
        yield transcript.Summarised.of({**shared, "summary": left, "automatic": automatic})
    elif opening.startswith(words.INTERRUPTED):
        yield transcript.Interrupted.of(shared)
    elif opening.startswith("<command-message>"):
        # commands of Claude Code itself begin with their name; skills with their message
        name = words.tagged(text, "command-name").removeprefix("/")
        given = words.tagged(text, "command-args")
        yield transcript.SkillUsed.of({**shared, "name": name, "arguments": given, "how": "slash"})
    elif said := words.spoken(text):
        yield transcript.UserSaid.of({**shared, "text": said})


def _result(
    block: Mapping[str, object], record: Mapping[str, object], place: _Place
) -> Iterator[Step]:
    call = text_at(block, "tool_use_id")
    if not call:
        return
    text = words.printed(
        "\n".join(text_at(each, "text") for each in _listed(block.get("content")))
    )
    failed, denial = block.get("is_error") is True, text_at(record, "toolDenialKind")
    why, reason = words.refusal(text, denial) if failed else ("", "")
    vouched = bool(denial)
    if not why and _at(record, "toolUseResult", "interrupted") is True:
        why, vouched = "interrupted", True
    told = {"text": words.bare_error(text), "failed": failed, "refusal": why, "reason": reason}
    yield transcript.Result.of({**place.shared(), **told, "vouched": vouched, "id": call})


def _from_agent(record: Mapping[str, object], place: _Place) -> Iterator[Step]:
    """Yield agent messages and tool calls, without Claude Code's own messages."""
    made_up = _at(record, "message", "model") == "<synthetic>"
    if made_up or record.get("isApiErrorMessage") is True:
        return
    for index, block in enumerate(_blocks(record)):
        if block.get("type") == "tool_use":
            yield from _call(block, place.shared(index))
        elif text := text_at(block, "text").strip():
            yield transcript.AgentSaid.of({**place.shared(index), "text": text})


def _call(block: Mapping[str, object], shared: dict[str, object]) -> Iterator[Step]:
    shared = {**shared, "id": text_at(block, "id") or shared["id"]}
    tool, given = text_at(block, "name"), block.get("input")
    arguments = sound(json.dumps(given, ensure_ascii=False, separators=(",", ":")))
    yield transcript.Called.of({**shared, "tool": tool, "arguments": arguments})
    if not isinstance(given, dict):
        return
    if tool == "Skill":
        name = text_at(given, "skill") or text_at(given, "command")
        yield transcript.SkillUsed.of(
            {**shared, "name": name, "arguments": text_at(given, "args")}
        )
    elif tool == "Read" and (path := text_at(given, "file_path")).endswith(_SKILL_FILE):
        name = path.removesuffix(_SKILL_FILE).rpartition("/")[2]
        yield transcript.SkillUsed.of({**shared, "name": name, "how": "read"})


def _from_queue(attachment: object, place: _Place) -> Iterator[Step]:
    """Yield text typed by the user during work, which never becomes a prompt."""
    if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
        return
    if attachment.get("commandMode", "prompt") != "prompt" or not _human(attachment):
        return
    for index, block in enumerate(_listed(attachment.get("prompt"))):
        if place.agent == "" and (said := words.spoken(text_at(block, "text"))):
            yield transcript.UserSaid.of({**place.shared(index), "text": said})


def _human(record: Mapping[str, object]) -> bool:
    """True if a prompt came from a person or their program, not from Claude Code."""
    kind = _at(record, "origin", "kind")
    return kind in (None, "human") and record.get("promptSource") != "system"


def _blocks(record: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    return _listed(_at(record, "message", "content"))


def _listed(content: object) -> Iterator[Mapping[str, object]]:
    """Yield the blocks of a content; a plain text is a single block."""
    if isinstance(content, str):
        yield {"type": "text", "text": content}
    elif isinstance(content, list):
        for block in content:
            yield block if isinstance(block, dict) else {}


def _at(record: Mapping[str, object], name: str, inner: str) -> object:
    outer = record.get(name)
    return outer.get(inner) if isinstance(outer, dict) else None


def _moment(text: str) -> int:
    """Parse a time; 0 if absent."""
    try:
        return moment.parse_stamp(text)
    except ValueError:
        return 0
