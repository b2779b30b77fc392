"""Translate OpenCode message parts to steps; unknown shapes are skipped."""

from __future__ import annotations

import json

from twiceshy.core import transcript
from twiceshy.core.value import Value
from twiceshy.runtimes.jsonl import sound, text_at
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


class Around(Value):
    """Facts of message and session for its parts."""

    session: str
    agent: str
    cwd: str
    at: int
    role: str
    summary: bool = False
    automatic: bool = False


def around(message: Record, *, session: str, agent: str, directory: str) -> Around:
    """Return the shared facts of a message's parts."""
    role = text_at(message, "role")
    return Around(
        session=session,
        agent=agent,
        cwd=text_at(message, "path", "cwd") or directory,
        at=_moment(message, "time", "created"),
        role=role,
        summary=role == "assistant" and message.get("summary") is True,
    )


def finished(part: Record) -> bool:
    """True if a part no longer changes."""
    match part.get("type"):
        case "tool":
            return text_at(part, "state", "status") in _ENDED
        case "text":
            # what the user wrote was never begun, nor what OpenCode wrote in their name
            return _at(part, "time", "start") is None or _at(part, "time", "end") is not None
        case _:
            return True


def steps_of(part: Record, name: str, within: Around) -> Iterator[Step]:
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
            yield from _from_user(part, shared)
        case "text" if within.role == "assistant":
            yield from _from_agent(part, shared, within)
        case "tool":
            yield from _from_tool(part, shared)
        case _:
            return


def _from_user(part: Record, shared: dict[str, object]) -> Iterator[Step]:
    """Yield text typed by the user, without attached files or command text."""
    if part.get("synthetic") is True or part.get("ignored") is True or shared["agent"]:
        return
    text, mark = text_at(part, "text"), _at(part, "metadata", "twiceshy")
    if isinstance(mark, dict):
        command, given = text_at(mark, "command_name"), text_at(mark, "command_args")
    else:
        command, given = words.expanded(text)
    if command:
        used = {"name": command, "arguments": given, "how": "slash"}
        yield transcript.SkillUsed.of({**shared, **used})
    elif mark is None and (said := words.printed(text).strip()):
        yield transcript.UserSaid.of({**shared, "text": said})


def _from_agent(part: Record, shared: dict[str, object], within: Around) -> Iterator[Step]:
    text = text_at(part, "text").strip()
    if not text or part.get("synthetic") is True:
        return
    if within.summary:
        left = {"summary": words.printed(text), "automatic": within.automatic}
        yield transcript.Summarised.of({**shared, **left})
    else:
        yield transcript.AgentSaid.of({**shared, "text": text})


def _from_tool(part: Record, shared: dict[str, object]) -> Iterator[Step]:
    state = part.get("state")
    if not isinstance(state, dict):
        return
    given = state.get("input")
    given = given if isinstance(given, dict) else {}
    their = text_at(part, "tool")
    if their == _UNKNOWN:
        their, given = text_at(given, "tool") or _UNKNOWN, {}
    place = text_at(given, "workdir") if their == "bash" else ""
    shared = {**shared, "id": text_at(part, "callID") or shared["id"]}
    shared["cwd"] = place if place.startswith("/") else shared["cwd"]
    tool, arguments = TOOLS.name(their), TOOLS.arguments(their, given)
    began = {**shared, "at": _moment(state, "time", "start") or shared["at"]}
    yield from _called(tool, arguments, began)
    if text_at(state, "status") in _ENDED:
        ended = {**shared, "at": _moment(state, "time", "end") or began["at"]}
        yield _result(text_at(part, "tool"), state, ended)


def _called(tool: str, arguments: Record, shared: dict[str, object]) -> Iterator[Step]:
    written = sound(json.dumps(arguments, ensure_ascii=False, separators=(",", ":")))
    yield transcript.Called.of({**shared, "tool": tool, "arguments": written})
    if tool == "Skill":
        name, intent = text_at(arguments, "skill"), text_at(arguments, "args")
        yield transcript.SkillUsed.of({**shared, "name": name, "arguments": intent})
    elif tool == "Read" and (path := text_at(arguments, "file_path")).endswith(_SKILL_FILE):
        name = path.removesuffix(_SKILL_FILE).rpartition("/")[2]
        yield transcript.SkillUsed.of({**shared, "name": name, "how": "read"})


def _result(their: str, state: Record, shared: dict[str, object]) -> Step:
    if text_at(state, "status") == "error":
        error = text_at(state, "error")
        stopped = _at(state, "metadata", "interrupted") is True
        why: Refusal
        why, reason = ("interrupted", "") if stopped else words.refusal(error)
        text = words.printed(error)
        told = {"failed": True, "text": text, "refusal": why, "reason": reason, "vouched": stopped}
    elif their == "bash":
        told = _of_command(words.printed(text_at(state, "output")), state)
    else:
        # OpenCode answers by itself where a tool is unknown, and calls that a success
        unknown = their == _UNKNOWN
        told = {
            "text": words.printed(text_at(state, "output")),
            "failed": unknown,
            "refusal": "invalid" if unknown else "",
        }
    return transcript.Result.of({**shared, **told})


def _of_command(printed: str, state: Record) -> dict[str, object]:
    """Return a command's result, exit status first, as Claude Code writes it."""
    printed = words.output(printed)
    metadata = state.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    code = metadata.get("exit", 0)
    if isinstance(code, int) and not isinstance(code, bool):
        text = "\n".join(filter(None, (f"Exit code {code}" if code else "", printed)))
        return {"text": text, "failed": code != 0}
    stopped = words.stopped(printed)
    return {
        "text": printed,
        "failed": True,
        "refusal": "interrupted" if stopped else "",
        "vouched": stopped,
    }


def _at(record: Record, name: str, inner: str) -> object:
    outer = record.get(name)
    return outer.get(inner) if isinstance(outer, dict) else None


def _moment(record: Record, name: str, inner: str) -> int:
    """Parse a time; 0 if absent."""
    found = _at(record, name, inner)
    return found if isinstance(found, int) and 0 <= found < 1 << 53 else 0
