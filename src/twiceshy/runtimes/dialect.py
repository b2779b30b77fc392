"""Hook payloads and replies, in the form of Claude Code.

Codex uses the same form, and so do our plugins for OpenCode and Pi; Gemini CLI differs in
names. A runtime's ``payload`` module states only the differences.
"""

from __future__ import annotations

from twiceshy.core import event as events
from twiceshy.core.event import FOREIGN
from twiceshy.core.jsontext import parse_object, write
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.core.event import Event, Start

    Payload = Mapping[str, object]

# A fork goes on where another session was, and has all of it before its eyes, like a resumed one.
_STARTS: dict[str, Start] = {
    "startup": "startup",
    "resume": "resume",
    "fork": "resume",
    "clear": "clear",
    "compact": "compact",
}
_LONGEST_ID = 128
CANNOT_ASK = "The user wants to be asked before this call, so it was not made: ask them."
# What clients put where a person's words are expected.
_MACHINE = (
    "<task-notification>",
    "<system-reminder>",
    "<local-command-",
    "<command-name>",
    "<bash-",
    "Caveat: ",
    "[Request interrupted",
    "This session is being continued",
)


class Tool(Value):
    """Our name of a tool, and of renamed arguments."""

    name: str
    arguments: Mapping[str, str] = {}


class Tools(Value):
    """Built-in tools of a runtime, and the prefix of foreign tools.

    Our names are Claude Code's: a mistake with a runtime's shell is known in every runtime.
    Without a prefix every other tool is foreign, written ``mcp__server__tool``.
    """

    own: Mapping[str, Tool] = {}
    foreign: str = FOREIGN

    def name(self, tool: str) -> str:
        """Return our name of a tool."""
        if known := self.own.get(tool):
            return known.name
        if tool.startswith(FOREIGN) or not tool.startswith(self.foreign):
            return tool
        server, between, rest = tool[len(self.foreign) :].partition("_")
        return f"{FOREIGN}{server}__{rest}" if between and server else tool

    def arguments(self, tool: str, given: Mapping[str, object]) -> Mapping[str, object]:
        """Return arguments by our names."""
        known = self.own.get(tool)
        if not known or not known.arguments:
            return given
        return {known.arguments.get(name, name): value for name, value in given.items()}


class Dialect(Value):
    """Event names, tool names, and the start directory variable of a client."""

    events: Mapping[str, str] = {}
    tools: Tools = Tools()
    started_in: str = ""


class Given:
    """A payload with typed access; wrong types count as empty."""

    def __init__(self, payload: Payload) -> None:
        self._payload = payload

    def text(self, *names: str) -> str:
        """Return a text by its path of names; empty for other types."""
        value: object = self._payload
        for name in names:
            value = value.get(name) if isinstance(value, dict) else None
        if not isinstance(value, str):
            return ""
        # half of a character, where something was cut, cannot be stored
        return value if value.isascii() else value.encode("utf-8", "replace").decode()

    def mapping(self, name: str) -> Payload:
        """Return an object; empty for other types."""
        value = self._payload.get(name)
        return value if isinstance(value, dict) else {}

    def flag(self, name: str) -> bool:
        """True only for a literal true."""
        return self._payload.get(name) is True


def given(raw: bytes) -> Given:
    """Parse a payload."""
    return Given(parse_object(raw.decode("utf-8", "replace")))


def parse(
    said: Given, dialect: Dialect, *, environ: Mapping[str, str], now: int
) -> tuple[str, Event | None]:
    """Return the client's event name and the event; None if irrelevant.

    The start directory of the client precedes the payload's directory, which may be below.
    """
    name = said.text("hook_event_name")
    session, agent = said.text("session_id"), said.text("agent_id")
    cwd = environ.get(dialect.started_in, "") or said.text("cwd")
    if not _is_id(session) or (agent and not _is_id(agent)) or not cwd:
        return name, None
    common = {
        "session": session,
        "cwd": cwd,
        "at": now,
        "transcript": said.text("transcript_path"),
        "agent": agent,
    }
    try:
        return name, _event(dialect.events.get(name, name), said, common, dialect.tools)
    except RecursionError:
        return name, None  # no tool is called with lists in lists in lists


def _is_id(text: str) -> bool:
    """True if a text is a valid id, safe as a key."""
    plain = text.replace("-", "").replace("_", "")
    return len(text) <= _LONGEST_ID and text.isascii() and plain.isalnum()


def reply(name: str, text: str, *, ruling: str = "") -> str:
    """Return hook output that shows a text to the model, or rules on a call."""
    said: dict[str, object] = {"hookEventName": name}
    if ruling:
        said |= {"permissionDecision": ruling, "permissionDecisionReason": text}
    else:
        said["additionalContext"] = text
    return write({"hookSpecificOutput": said})


def reply_unasked(name: str, text: str, *, ruling: str = "") -> str:
    """Return hook output for clients that cannot ask during a call: deny."""
    if ruling == "ask":
        return reply(name, f"{text} {CANNOT_ASK}", ruling="deny")
    return reply(name, text, ruling=ruling)


def _event(name: str, said: Given, common: dict[str, object], tools: Tools) -> Event | None:
    match name:
        case "SessionStart":
            how = _STARTS.get(said.text("source"), "startup")
            return events.SessionStarted.of(common | {"how": how})
        case "UserPromptSubmit":
            prompt = said.text("prompt").strip()
            by_machine = not prompt or prompt.startswith(_MACHINE)
            return None if by_machine else events.PromptGiven.of(common | {"prompt": prompt})
        case "UserPromptExpansion":
            skill, words = said.text("command_name"), said.text("command_args")
            return _loaded(skill, words, "", common)
        case "PreToolUse" | "PostToolUse" | "PostToolUseFailure":
            return _call(name, said, common, tools)
        case "PostCompact":
            return events.Compacted.of(common | {"summary": said.text("compact_summary")})
        case _:
            return _turn(name, said, common)


def _turn(name: str, said: Given, common: dict[str, object]) -> Event | None:
    match name:
        case "PreCompact":
            automatic = said.text("trigger") == "auto"
            return events.Compacting.of(common | {"automatic": automatic})
        case "Stop":
            return events.TurnEnded.of(common)
        case "SubagentStart":
            return events.SubagentStarted.of(common)
        case "SubagentStop":
            # without a type it is the call that writes the summary of a compaction
            return events.SubagentEnded.of(common) if said.text("agent_type") else None
        case "SessionEnd":
            return events.SessionEnded.of(common | {"reason": said.text("reason")})
        case _:
            return None


def _call(name: str, said: Given, common: dict[str, object], tools: Tools) -> Event | None:
    their, call = said.text("tool_name"), said.text("tool_use_id")
    tool, arguments = tools.name(their), tools.arguments(their, said.mapping("tool_input"))
    if name == "PostToolUse" and tool == "Skill":
        skill = said.text("tool_response", "commandName") or _text(arguments, "skill")
        return _loaded(skill, _text(arguments, "args"), call, common)
    if name == "PostToolUse" and tool == "Read":
        path = _text(arguments, "file_path")
        named = path.endswith("SKILL.md")
        return events.SkillRead.of(common | {"path": path, "call": call}) if named else None
    from twiceshy.shell.summary import target_of  # noqa: PLC0415 - skills do without

    common |= {"tool": tool, "call": call, "target": target_of(tool, arguments)}
    common |= {"arguments": arguments, "place": said.text("cwd")}
    if name == "PreToolUse":
        return events.CallPending.of(common)
    if name == "PostToolUse":
        return events.CallSucceeded.of(common | {"output": _output(said)})
    stopped = said.flag("is_interrupt")
    return events.CallFailed.of(common | {"error": said.text("error"), "interrupted": stopped})


def _text(arguments: Mapping[str, object], name: str) -> str:
    return Given(arguments).text(name)


def _loaded(skill: str, words: str, call: str, common: dict[str, object]) -> Event | None:
    skill = skill.strip().removeprefix("/")
    loaded = events.SkillLoaded.of(common | {"skill": skill, "arguments": words, "call": call})
    return loaded if skill else None


def _output(said: Given) -> str:
    """Return the output of a command."""
    printed = (said.text("tool_response", name) for name in ("stdout", "stderr"))
    return "\n".join(filter(None, printed)) or said.text("tool_response")
