"""Translate OpenCode message parts to steps; unknown shapes are skipped.

Output and typed text are separated from OpenCode's framing and ours.
"""

from __future__ import annotations

from twiceshy.core import transcript
from twiceshy.core.value import Value
from twiceshy.runtimes.claude_code.transcript_records import strip_agent_notes
from twiceshy.runtimes.opencode.payload import TOOLS
from twiceshy.runtimes.records import (
    build_call,
    build_skill_uses,
    get_mapping,
    get_text,
    get_value,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.transcript import Refusal, Step
    from twiceshy.runtimes.records import Record, Shared

_ENDED = ("completed", "error")
_UNKNOWN = "invalid"  # what OpenCode calls instead of a tool that is not there
_REJECTED = "The user rejected permission to use this specific tool call"
_SAID = " with the following feedback: "
_DENIED = "The user has specified a rule which prevents you from using this specific tool call."
_INVALID = " tool was called with invalid arguments: "
_NOTE, _NOTE_END = "<twiceshy-note", "</twiceshy-note>"
_FOLDER = "\nBase directory for this skill: "
_PATHS = "\nRelative paths in this skill (e.g., scripts/, references/) are relative to this base directory."
_NOTHING = "(no output)"


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
                get_value(part, "time", "start") is None
                or get_value(part, "time", "end") is not None
            )
        case _:
            return True


def translate_part(part: Record, name: str, within: MessageContext) -> Iterator[Step]:
    """Yield the steps of a part, in order; ``name`` is its id."""
    shared: Shared = {f: getattr(within, f) for f in ("session", "cwd", "at", "agent")}
    shared["id"] = name
    match part.get("type"):
        case "text" if within.role == "user":
            yield from _user_steps(part, shared)
        case "text" if within.role == "assistant":
            yield from _agent_steps(part, shared, within)
        case "tool":
            yield from _tool_steps(part, shared)
        case _:
            return


def _user_steps(part: Record, shared: Shared) -> Iterator[Step]:
    """Yield text typed by the user, without attached files or command text."""
    if part.get("synthetic") is True or part.get("ignored") is True or shared["agent"]:
        return
    text, mark = get_text(part, "text"), get_value(part, "metadata", "twiceshy")
    if isinstance(mark, dict):
        command, given = get_text(mark, "command_name"), get_text(mark, "command_args")
    else:
        command, given = _find_expanded_skill(text)
    if command:
        used = {"name": command, "arguments": given, "how": "slash"}
        yield transcript.SkillStep.of({**shared, **used})
    elif mark is None and (said := strip_agent_notes(text).strip()):
        yield transcript.UserMessage.of({**shared, "text": said})


def _agent_steps(part: Record, shared: Shared, within: MessageContext) -> Iterator[Step]:
    text = get_text(part, "text").strip()
    if not text or part.get("synthetic") is True:
        return
    if within.summary:
        left = {"summary": strip_agent_notes(text), "automatic": within.automatic}
        yield transcript.SummaryStep.of({**shared, **left})
    else:
        yield transcript.AgentMessage.of({**shared, "text": text})


def _tool_steps(part: Record, shared: Shared) -> Iterator[Step]:
    state = get_mapping(part, "state")
    if not state:
        return
    given = get_mapping(state, "input")
    their = get_text(part, "tool")
    if their == _UNKNOWN:
        their, given = get_text(given, "tool") or _UNKNOWN, {}
    place = get_text(given, "workdir") if their == "bash" else ""
    shared = {**shared, "id": get_text(part, "callID") or shared["id"]}
    shared["cwd"] = place if place.startswith("/") else shared["cwd"]
    tool, arguments = TOOLS.our_name(their), TOOLS.our_arguments(their, given)
    began = {**shared, "at": _parse_moment(state, "time", "start") or shared["at"]}
    yield build_call(tool, arguments, began)
    yield from build_skill_uses(tool, arguments, began)
    if get_text(state, "status") in _ENDED:
        ended = {**shared, "at": _parse_moment(state, "time", "end") or began["at"]}
        yield _result_step(get_text(part, "tool"), state, ended)


def _result_step(their: str, state: Record, shared: Shared) -> Step:
    if get_text(state, "status") == "error":
        error = get_text(state, "error")
        stopped = get_value(state, "metadata", "interrupted") is True
        why: Refusal
        why, reason = ("interrupted", "") if stopped else _classify_refusal(error)
        text = strip_agent_notes(error)
        told = {"failed": True, "text": text, "refusal": why, "reason": reason, "vouched": stopped}
    elif their == "bash":
        told = _command_result(strip_agent_notes(get_text(state, "output")), state)
    else:
        # OpenCode answers by itself where a tool is unknown, and calls that a success
        unknown = their == _UNKNOWN
        told = {
            "text": strip_agent_notes(get_text(state, "output")),
            "failed": unknown,
            "refusal": "invalid" if unknown else "",
        }
    return transcript.ResultStep.of({**shared, **told})


def _command_result(printed: str, state: Record) -> Shared:
    """Return a command's result, exit status first, as Claude Code writes it."""
    printed = "" if printed.strip() == _NOTHING else printed
    code = get_mapping(state, "metadata").get("exit", 0)
    if isinstance(code, int) and not isinstance(code, bool):
        text = "\n".join(filter(None, (f"Exit code {code}" if code else "", printed)))
        return {"text": text, "failed": code != 0}
    stopped = _is_stopped(printed)
    return {
        "text": printed,
        "failed": True,
        "refusal": "interrupted" if stopped else "",
        "vouched": stopped,
    }


def _parse_moment(record: Record, name: str, inner: str) -> int:
    """Parse a time; 0 if absent."""
    found = get_value(record, name, inner)
    return found if isinstance(found, int) and 0 <= found < 1 << 53 else 0


def _classify_refusal(error: str) -> tuple[Refusal, str]:
    """Return the reason a failed call did not run, and the user's comment; empty if it ran."""
    if error.startswith(_REJECTED):
        return "rejected", error.removeprefix(_REJECTED).partition(_SAID)[2].strip()
    if error.startswith(_DENIED) or (error.startswith(_NOTE) and error.endswith(_NOTE_END)):
        return "denied", ""
    first = error.partition("\n")[0]
    return ("invalid", "") if first.startswith("The ") and _INVALID in first else ("", "")


def _is_stopped(printed_text: str) -> bool:
    """True if the user stopped a command without exit status."""
    _, opened, behind = printed_text.rpartition("\n<shell_metadata>\n")
    return bool(opened) and "User aborted the command" in behind.splitlines()


def _find_expanded_skill(text: str) -> tuple[str, str]:
    """Return the skill behind a prompt and its arguments; empty if none."""
    _, opened, rest = text.partition(_FOLDER)
    folder, closed, given = rest.partition(_PATHS)
    if not (opened and closed) or "\n" in folder:
        return "", ""
    return folder.rstrip("/").rpartition("/")[2], given.strip()
