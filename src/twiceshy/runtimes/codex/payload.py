"""Codex hook payloads to events, completed from the rollout."""

from __future__ import annotations

from twiceshy.core import event as events
from twiceshy.core.jsontext import parse_object
from twiceshy.runtimes import dialect
from twiceshy.runtimes.dialect import ToolName, ToolNames

# a hook that asks counts as failed there, and the call is made (seen with 0.166)
from twiceshy.runtimes.dialect import build_deny_reply as build_reply

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.core.event import Event

__all__ = ["build_reply", "parse"]

_DIALECT = dialect.PayloadDialect(
    tools=ToolNames({"spawn_agent": ToolName("Task", {"message": "prompt"})})
)


def parse(raw: bytes, *, environ: Mapping[str, str], now: int) -> tuple[str, Event | None]:
    """Return the client's event name and the event; None if irrelevant."""
    payload = parse_object(raw.decode("utf-8", "replace"))
    said = dialect.GivenFields(payload)
    name = said.get_text("hook_event_name")
    if name == "UserPromptSubmit" and said.get_text("agent_id"):
        return name, None  # what an agent told another one
    more = _extra_fields(name, said, raw)
    told = dialect.GivenFields({**payload, **more}) if more else said
    event = dialect.parse_event(told, _DIALECT, environ=environ, now=now)[1]
    if isinstance(event, events.CallSucceeded) and event.tool == "Bash":
        from twiceshy.runtimes.codex.outcome import has_rollout  # noqa: PLC0415 - most calls are none

        event = event.but(is_status_known=has_rollout(raw))
    return name, _skill_event(event, raw)


def _extra_fields(name: str, said: dialect.GivenFields, raw: bytes) -> dict[str, object]:
    """Return changed or missing fields."""
    tool = said.get_text("tool_name")
    if tool == "apply_patch":
        from twiceshy.runtimes.codex.calls import parse_patch  # noqa: PLC0415 - most calls are none

        edit, given = parse_patch(said.get_text("tool_input", "command"), said.get_text("cwd"))
        return {"tool_name": edit, "tool_input": given}
    if name == "PostToolUse" and tool == "Bash":
        return _failure_fields(said, raw)
    if name == "PostCompact":
        from twiceshy.runtimes.codex.outcome import find_summary  # noqa: PLC0415 - as above

        return {"compact_summary": find_summary(raw)}
    return {}


def _failure_fields(said: dialect.GivenFields, raw: bytes) -> dict[str, object]:
    """Return failure fields in Claude Code's form."""
    from twiceshy.runtimes.codex.outcome import find_exit_code  # noqa: PLC0415 - as above

    code = find_exit_code(raw).decode()
    if code in ("", "0"):
        return {}
    error = f"Exit code {code}\n{said.get_text('tool_response')}"
    killed = code.startswith("-")
    return {"hook_event_name": "PostToolUseFailure", "error": error, "is_interrupt": killed}


def _skill_event(event: Event | None, raw: bytes) -> Event | None:
    """Return the event, or the skill load behind it."""
    if isinstance(event, events.PromptGiven) and "$" in event.prompt:
        from twiceshy.runtimes.codex.calls import find_mentions  # noqa: PLC0415 - as above

        return event.but(skills=find_mentions(event.prompt))
    if not isinstance(event, events.CallSucceeded) or event.tool != "Bash":
        return event
    command = event.arguments.get("command")
    if not isinstance(command, str) or "SKILL.md" not in command:
        return event
    from twiceshy.runtimes.codex.calls import find_skill_read  # noqa: PLC0415 - as above
    from twiceshy.runtimes.codex.outcome import find_directory  # noqa: PLC0415 - as above

    path = find_skill_read(command)
    if path and not path.startswith(("/", "~")):
        path = f"{find_directory(raw) or event.place}/{path}"
    shared = {name: getattr(event, name) for name in events.Occurrence.__fields__}
    return events.SkillLoaded.of(shared | {"path": path, "call": event.call}) if path else event
