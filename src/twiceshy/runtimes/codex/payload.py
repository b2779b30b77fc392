"""Codex hook payloads to events, completed from the rollout."""

from __future__ import annotations

from twiceshy.core import event as events
from twiceshy.core.jsontext import parse_object
from twiceshy.runtimes import dialect
from twiceshy.runtimes.dialect import Tool, Tools

# a hook that asks counts as failed there, and the call is made (seen with 0.166)
from twiceshy.runtimes.dialect import reply_unasked as reply

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.core.event import Event

__all__ = ["parse", "reply"]

_DIALECT = dialect.Dialect(tools=Tools({"spawn_agent": Tool("Task", {"message": "prompt"})}))


def parse(raw: bytes, *, environ: Mapping[str, str], now: int) -> tuple[str, Event | None]:
    """Return the client's event name and the event; None if irrelevant."""
    payload = parse_object(raw.decode("utf-8", "replace"))
    said = dialect.Given(payload)
    name = said.text("hook_event_name")
    if name == "UserPromptSubmit" and said.text("agent_id"):
        return name, None  # what an agent told another one
    more = _more(name, said, raw)
    told = dialect.Given({**payload, **more}) if more else said
    event = dialect.parse(told, _DIALECT, environ=environ, now=now)[1]
    return name, _loading(event, raw)


def _more(name: str, said: dialect.Given, raw: bytes) -> dict[str, object]:
    """Return changed or missing fields."""
    tool = said.text("tool_name")
    if tool == "apply_patch":
        from twiceshy.runtimes.codex.patch import edit_of  # noqa: PLC0415 - most calls are none

        edit, given = edit_of(said.text("tool_input", "command"), said.text("cwd"))
        return {"tool_name": edit, "tool_input": given}
    if name == "PostToolUse" and tool == "Bash":
        return _ended(said, raw)
    if name == "PostCompact":
        from twiceshy.runtimes.codex.outcome import summary  # noqa: PLC0415 - as above

        return {"compact_summary": summary(raw)}
    return {}


def _ended(said: dialect.Given, raw: bytes) -> dict[str, object]:
    """Return failure fields in Claude Code's form."""
    from twiceshy.runtimes.codex.outcome import exit_code  # noqa: PLC0415 - as above

    code = exit_code(raw).decode()
    if code in ("", "0"):
        return {}
    error = f"Exit code {code}\n{said.text('tool_response')}"
    killed = code.startswith("-")
    return {"hook_event_name": "PostToolUseFailure", "error": error, "is_interrupt": killed}


def _loading(event: Event | None, raw: bytes) -> Event | None:
    """Return the event, or the skill load behind it."""
    if isinstance(event, events.PromptGiven) and "$" in event.prompt:
        from twiceshy.runtimes.codex.skill_words import mentioned  # noqa: PLC0415 - as above

        return event.but(skills=mentioned(event.prompt))
    if not isinstance(event, events.CallSucceeded) or event.tool != "Bash":
        return event
    command = event.arguments.get("command")
    if not isinstance(command, str) or "SKILL.md" not in command:
        return event
    from twiceshy.runtimes.codex.outcome import place  # noqa: PLC0415 - as above
    from twiceshy.runtimes.codex.skill_words import skill_read  # noqa: PLC0415 - as above

    path = skill_read(command)
    if path and not path.startswith(("/", "~")):
        path = f"{place(raw) or event.place}/{path}"
    shared = {name: getattr(event, name) for name in events.Occurrence.__fields__}
    return events.SkillLoaded.of(shared | {"path": path, "call": event.call}) if path else event
