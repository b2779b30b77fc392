"""Translate OpenCode message parts to steps; unknown shapes are skipped."""

from __future__ import annotations

import json

from twiceshy.core import transcript
from twiceshy.core.value import Value
from twiceshy.runtimes.jsonl import drop_surrogates, get_text
from twiceshy.runtimes.opencode import transcript_words as words
from twiceshy.runtimes.opencode.tool_names import TOOLS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from twiceshy.core.transcript import Refusal, Step

    Record = Mapping[str, object]

_SKILL_FILE = "/SKILL.md"
_ENDED = ("completed", "error")
_UNKNOWN = "invalid"  # what OpenCode calls instead of a tool that is not there


class MessageContext(Value):
    """Facts of message and session for its parts."""

    session: str
    agent: str
    cwd: str
    at: int
    role: str
    summary: bool = False
    automatic: bool = False


def build_message_context(
    message: Record, *, session: str, agent: str, directory: str
) -> MessageContext:
    """Return the shared facts of a message's parts."""
    role = get_text(message, "role")
    return MessageContext(
        session=session,
        agent=agent,
        cwd=get_text(message, "path", "cwd") or directory,
        at=_parse_moment(message, "time", "created"),
        role=role,
        summary=role == "assistant" and message.get("summary") is True,
    )


def is_finished(part: Record) -> bool:
    """True if a part no longer changes."""
    match part.get("type"):
        case "tool":
            return get_text(part, "state", "status") in _ENDED
        case "text":
            # what the user wrote was never begun, nor what OpenCode wrote in their name
            return (
                _get_at(part, "time", "start") is None or _get_at(part, "time", "end") is not None
            )
        case _:
            return True


def translate_part(part: Record, name: str, within: MessageContext) -> Iterator[Step]:
    """Yield the steps of a part, in order; ``name`` is its id."""
    shared = {
        "id": name,
        "session": within.session,
        "cwd": within.cwd,
        "at": within.at,
        "agent": within.agent,
    }
    match part.get("type"):
        case "text" if within.role == "user":
            yield from _user_steps(part, shared)
        case "text" if within.role == "assistant":
            yield from _agent_steps(part, shared, within)
        case "tool":
            yield from _tool_steps(part, shared)
        case _:
            return


def _user_steps(part: Record, shared: dict[str, object]) -> Iterator[Step]:
    """Yield text typed by the user, without attached files or command text."""
    if part.get("synthetic") is True or part.get("ignored") is True or shared["agent"]:
        return
    text, mark = get_text(part, "text"), _get_at(part, "metadata", "twiceshy")
    if isinstance(mark, dict):
        command, given = get_text(mark, "command_name"), get_text(mark, "command_args")
    else:
        command, given = words.find_expanded_skill(text)
    if command:
        used = {"name": command, "arguments": given, "how": "slash"}
        yield transcript.SkillStep.of({**shared, **used})
    elif mark is None and (said := words.strip_agent_notes(text).strip()):
        yield transcript.UserMessage.of({**shared, "text": said})


def _agent_steps(
    part: Record, shared: dict[str, object], within: MessageContext
) -> Iterator[Step]:
    text = get_text(part, "text").strip()
    if not text or part.get("synthetic") is True:
        return
    if within.summary:
        left = {"summary": words.strip_agent_notes(text), "automatic": within.automatic}
        yield transcript.SummaryStep.of({**shared, **left})
    else:
        yield transcript.AgentMessage.of({**shared, "text": text})


def _tool_steps(part: Record, shared: dict[str, object]) -> Iterator[Step]:
    state = part.get("state")
    if not isinstance(state, dict):
        return
    given = state.get("input")
    given = given if isinstance(given, dict) else {}
    their = get_text(part, "tool")
    if their == _UNKNOWN:
        their, given = get_text(given, "tool") or _UNKNOWN, {}
    place = get_text(given, "workdir") if their == "bash" else ""
    shared = {**shared, "id": get_text(part, "callID") or shared["id"]}
    shared["cwd"] = place if place.startswith("/") else shared["cwd"]
    tool, arguments = TOOLS.our_name(their), TOOLS.our_arguments(their, given)
    began = {**shared, "at": _parse_moment(state, "time", "start") or shared["at"]}
    yield from _call_step(tool, arguments, began)
    if get_text(state, "status") in _ENDED:
        ended = {**shared, "at": _parse_moment(state, "time", "end") or began["at"]}
        yield _result_step(get_text(part, "tool"), state, ended)


def _call_step(tool: str, arguments: Record, shared: dict[str, object]) -> Iterator[Step]:
    written = drop_surrogates(json.dumps(arguments, ensure_ascii=False, separators=(",", ":")))
    yield transcript.CallStep.of({**shared, "tool": tool, "arguments": written})
    if tool == "Skill":
        name, intent = get_text(arguments, "skill"), get_text(arguments, "args")
        yield transcript.SkillStep.of({**shared, "name": name, "arguments": intent})
    elif tool == "Read" and (path := get_text(arguments, "file_path")).endswith(_SKILL_FILE):
        name = path.removesuffix(_SKILL_FILE).rpartition("/")[2]
        yield transcript.SkillStep.of({**shared, "name": name, "how": "read"})


def _result_step(their: str, state: Record, shared: dict[str, object]) -> Step:
    if get_text(state, "status") == "error":
        error = get_text(state, "error")
        stopped = _get_at(state, "metadata", "interrupted") is True
        why: Refusal
        why, reason = ("interrupted", "") if stopped else words.classify_refusal(error)
        text = words.strip_agent_notes(error)
        told = {"failed": True, "text": text, "refusal": why, "reason": reason, "vouched": stopped}
    elif their == "bash":
        told = _command_result(words.strip_agent_notes(get_text(state, "output")), state)
    else:
        # OpenCode answers by itself where a tool is unknown, and calls that a success
        unknown = their == _UNKNOWN
        told = {
            "text": words.strip_agent_notes(get_text(state, "output")),
            "failed": unknown,
            "refusal": "invalid" if unknown else "",
        }
    return transcript.ResultStep.of({**shared, **told})


def _command_result(printed: str, state: Record) -> dict[str, object]:
    """Return a command's result, exit status first, as Claude Code writes it."""
    printed = words.strip_wrapping(printed)
    metadata = state.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    code = metadata.get("exit", 0)
    if isinstance(code, int) and not isinstance(code, bool):
        text = "\n".join(filter(None, (f"Exit code {code}" if code else "", printed)))
        return {"text": text, "failed": code != 0}
    stopped = words.is_stopped(printed)
    return {
        "text": printed,
        "failed": True,
        "refusal": "interrupted" if stopped else "",
        "vouched": stopped,
    }


def _get_at(record: Record, name: str, inner: str) -> object:
    outer = record.get(name)
    return outer.get(inner) if isinstance(outer, dict) else None


def _parse_moment(record: Record, name: str, inner: str) -> int:
    """Parse a time; 0 if absent."""
    found = _get_at(record, name, inner)
    return found if isinstance(found, int) and 0 <= found < 1 << 53 else 0
