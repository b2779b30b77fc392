"""Tell from a payload's bytes whether anything can come of it: most tool calls are not worth parsing."""

from __future__ import annotations

# Events that say nothing that must be kept, and to which there is nothing to say.
_QUIET = frozenset((b"PreToolUse", b"PreCompact", b"Stop", b"SubagentStop", b"SessionEnd"))
_EVENT, _TOOL = b'"hook_event_name":"', b'"tool_name":"'


def worth_a_look(raw: bytes) -> bool:
    """Return False only if nothing can come of this payload; whatever looks odd is worth it."""
    event = _after(_EVENT, raw)
    if event != b"PostToolUse":
        return bool(raw) and event not in _QUIET
    tool = _after(_TOOL, raw)
    if tool == b"Read":
        return b"SKILL.md" in raw
    if tool == b"Bash":
        from twiceshy.core.failure import may_hold_failure  # noqa: PLC0415 - only Bash needs it

        return may_hold_failure(raw)
    return True


def event_of(raw: bytes) -> str:
    """Return the event's name, as far as it is one."""
    name = _after(_EVENT, raw).decode("ascii", "replace")
    return name if name.isalpha() else ""


def _after(key: bytes, raw: bytes) -> bytes:
    """Return the value of a key, as the client writes it; inside of texts its quotes are escaped."""
    at = raw.find(key)
    if at < 0:
        return b""
    at += len(key)
    return raw[at : raw.find(b'"', at, at + 100)]
