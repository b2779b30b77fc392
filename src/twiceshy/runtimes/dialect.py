"""Hook payloads and replies, in the form of Claude Code.

Codex uses the same form, and so do our plugins for OpenCode and Pi; Gemini CLI differs in
names. A runtime's ``payload`` module states only the differences.
"""

from __future__ import annotations

from twiceshy.core import event as events
from twiceshy.core.event import FOREIGN
from twiceshy.core.jsontext import parse_object, write_json
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
_TURN_END = "Stop"
_LONGEST_ID, _SHORTEST_SECRET, _UUID = 128, 16, 36
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


class ToolName(Value):
    """Our name of a tool, and of renamed arguments."""

    name: str
    arguments: Mapping[str, str] = {}


class ToolNames(Value):
    """Built-in tools of a runtime, and the prefix of foreign tools.

    Our names are Claude Code's: a mistake with a runtime's shell is known in every runtime.
    Without a prefix every other tool is foreign, written ``mcp__server__tool``.
    """

    own: Mapping[str, ToolName] = {}
    foreign: str = FOREIGN

    def our_name(self, tool: str) -> str:
        """Return our name of a tool."""
        if known := self.own.get(tool):
            return known.name
        if tool.startswith(FOREIGN) or not tool.startswith(self.foreign):
            return tool
        server, between, rest = tool[len(self.foreign) :].partition("_")
        return f"{FOREIGN}{server}__{rest}" if between and server else tool

    def our_arguments(self, tool: str, given: Mapping[str, object]) -> Mapping[str, object]:
        """Return arguments by our names."""
        known = self.own.get(tool)
        if not known or not known.arguments:
            return given
        return {known.arguments.get(name, name): value for name, value in given.items()}


class PayloadDialect(Value):
    """Event names, tool names, and the start directory variable of a client."""

    events: Mapping[str, str] = {}
    tools: ToolNames = ToolNames()
    started_in: str = ""
    changes_calls: bool = False  # a hook may change the arguments of a pending call


class GivenFields:
    """A payload with typed access; wrong types count as empty."""

    def __init__(self, payload: Payload) -> None:
        self._payload = payload

    def get_text(self, *names: str) -> str:
        """Return a text by its path of names; empty for other types."""
        value: object = self._payload
        for name in names:
            value = value.get(name) if isinstance(value, dict) else None
        if not isinstance(value, str):
            return ""
        # half of a character, where something was cut, cannot be stored
        return value if value.isascii() else value.encode("utf-8", "replace").decode()

    def get_mapping(self, name: str) -> Payload:
        """Return an object; empty for other types."""
        value = self._payload.get(name)
        return value if isinstance(value, dict) else {}

    def get_flag(self, name: str) -> bool:
        """True only for a literal true."""
        return self._payload.get(name) is True


def parse_payload(raw: bytes) -> GivenFields:
    """Parse a payload."""
    return GivenFields(parse_object(raw.decode("utf-8", "replace")))


def parse_event(
    said: GivenFields, dialect: PayloadDialect, *, environ: Mapping[str, str], now: int
) -> tuple[str, Event | None]:
    """Return the client's event name and the event; None if irrelevant.

    The start directory of the client precedes the payload's directory, which may be below.
    """
    name = said.get_text("hook_event_name")
    session, agent = said.get_text("session_id"), said.get_text("agent_id")
    cwd = environ.get(dialect.started_in, "") or said.get_text("cwd")
    if not is_plain_id(session) or (agent and not is_plain_id(agent)) or not cwd:
        return name, None
    if _is_secret(session) or _is_secret(agent):
        return name, None  # it would be the name of files
    common = {
        "session": session,
        "cwd": cwd,
        "at": now,
        "transcript": said.get_text("transcript_path"),
        "agent": agent,
    }
    try:
        event = _build_event(dialect.events.get(name, name), said, common, dialect.tools)
    except RecursionError:
        return name, None  # no tool is called with lists in lists in lists
    if dialect.changes_calls and isinstance(event, events.CallPending):
        event = event.but(changeable=True)
    return name, event


def _is_secret(text: str) -> bool:
    """True for an id with the form of a secret; those of clients are short, or UUIDs."""
    if len(text) < _SHORTEST_SECRET or (len(text) == _UUID and text[8:9] == text[23:24] == "-"):
        return False
    from twiceshy.safety.names import is_secret_name  # noqa: PLC0415 - hardly any id comes so far

    return is_secret_name(text)


def is_plain_id(text: str, *, longest: int = _LONGEST_ID) -> bool:
    """True if a text is a valid id, safe as a key."""
    plain = text.replace("-", "").replace("_", "")
    return len(text) <= longest and text.isascii() and plain.isalnum()


def build_reply(name: str, text: str, *, ruling: str = "", changed: Payload | None = None) -> str:
    """Return hook output that shows a text to the model, or rules on a call, or changes it.

    At the end of a turn a client accepts only the word that makes the agent go on.
    """
    if name == _TURN_END:
        return write_json({"decision": "block", "reason": text})
    said: dict[str, object] = {"hookEventName": name}
    if changed:
        said["updatedInput"] = changed
    if ruling:
        said |= {"permissionDecision": ruling, "permissionDecisionReason": text}
    else:
        said["additionalContext"] = text
    return write_json({"hookSpecificOutput": said})


def build_deny_reply(
    name: str, text: str, *, ruling: str = "", changed: Payload | None = None
) -> str:
    """Return hook output for clients that cannot ask during a call: deny."""
    if ruling == "ask":
        return build_reply(name, f"{text} {CANNOT_ASK}", ruling="deny")
    return build_reply(name, text, ruling=ruling, changed=changed)


def _build_event(
    name: str, said: GivenFields, common: dict[str, object], tools: ToolNames
) -> Event | None:
    match name:
        case "SessionStart":
            how = _STARTS.get(said.get_text("source"), "startup")
            return events.SessionStarted.of(common | {"how": how})
        case "UserPromptSubmit":
            prompt = said.get_text("prompt").strip()
            by_machine = not prompt or prompt.startswith(_MACHINE)
            return None if by_machine else events.PromptGiven.of(common | {"prompt": prompt})
        case "UserPromptExpansion":
            skill, words = said.get_text("command_name"), said.get_text("command_args")
            return _loaded_skill(skill, words, "", common)
        case "PreToolUse" | "PostToolUse" | "PostToolUseFailure":
            return _call_fields(name, said, common, tools)
        case "PostCompact":
            return events.Compacted.of(common | {"summary": said.get_text("compact_summary")})
        case _:
            return _build_turn_event(name, said, common)


def _build_turn_event(name: str, said: GivenFields, common: dict[str, object]) -> Event | None:
    match name:
        case "PreCompact":
            automatic = said.get_text("trigger") == "auto"
            return events.Compacting.of(common | {"automatic": automatic})
        case "Stop":
            return events.TurnEnded.of(common | {"continued": said.get_flag("stop_hook_active")})
        case "SubagentStart":
            return events.SubagentStarted.of(common)
        case "SubagentStop":
            # without a type it is the call that writes the summary of a compaction
            return events.SubagentEnded.of(common) if said.get_text("agent_type") else None
        case "SessionEnd":
            return events.SessionEnded.of(common | {"reason": said.get_text("reason")})
        case _:
            return None


def _call_fields(
    name: str, said: GivenFields, common: dict[str, object], tools: ToolNames
) -> Event | None:
    their, call = said.get_text("tool_name"), said.get_text("tool_use_id")
    tool = tools.our_name(their)
    arguments = tools.our_arguments(their, said.get_mapping("tool_input"))
    if name == "PostToolUse" and tool == "Skill":
        skill = said.get_text("tool_response", "commandName") or _joined_text(arguments, "skill")
        return _loaded_skill(skill, _joined_text(arguments, "args"), call, common)
    path = _joined_text(arguments, "file_path") if tool == "Read" else ""
    if name == "PostToolUse" and path.endswith("SKILL.md"):
        return events.SkillRead.of(common | {"path": path, "call": call})
    from twiceshy.shell.summary import summarise_target  # noqa: PLC0415 - skills do without

    common |= {"tool": tool, "call": call, "target": summarise_target(tool, arguments)}
    common |= {"arguments": arguments, "place": said.get_text("cwd")}
    if name == "PreToolUse":
        return events.CallPending.of(common)
    if name == "PostToolUse":
        return events.CallSucceeded.of(common | {"output": _command_output(said)})
    stopped = said.get_flag("is_interrupt")
    return events.CallFailed.of(common | {"error": said.get_text("error"), "interrupted": stopped})


def _joined_text(arguments: Mapping[str, object], name: str) -> str:
    return GivenFields(arguments).get_text(name)


def _loaded_skill(skill: str, words: str, call: str, common: dict[str, object]) -> Event | None:
    skill = skill.strip().removeprefix("/")
    loaded = events.SkillLoaded.of(common | {"skill": skill, "arguments": words, "call": call})
    return loaded if skill else None


def _command_output(said: GivenFields) -> str:
    """Return the output of a command."""
    printed = (said.get_text("tool_response", name) for name in ("stdout", "stderr"))
    return "\n".join(filter(None, printed)) or said.get_text("tool_response")
