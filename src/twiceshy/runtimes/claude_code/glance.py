"""Tell from a payload's bytes whether anything can come of it: most tool calls are not worth parsing."""

from __future__ import annotations

# Events that say nothing that must be kept, and to which there is nothing to say.
_QUIET = frozenset((b"SubagentStop",))
# Events after which there may be something to learn.
_RESTS = frozenset((b"Stop", b"PreCompact", b"SessionEnd"))
_EVENT, _TOOL = b'"hook_event_name":', b'"tool_name":'
_SESSION, _CWD = b'"session_id":', b'"cwd":'


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


def rests(raw: bytes) -> bool:
    """Tell whether the agent rests, so that what it did can be learned from."""
    return _after(_EVENT, raw) in _RESTS


def pending(raw: bytes) -> bool:
    """Tell whether a call is about to be made."""
    return _after(_EVENT, raw) == b"PreToolUse"


def session_of(raw: bytes) -> bytes:
    """Return which session speaks."""
    return _after(_SESSION, raw)


def place_of(raw: bytes) -> bytes:
    """Return the directory it speaks from, if that is written plainly."""
    place = _after(_CWD, raw)
    return b"" if b"\\" in place else place


def event_of(raw: bytes) -> str:
    """Return the event's name, as far as it is one."""
    name = _after(_EVENT, raw).decode("ascii", "replace")
    return name if name.isalpha() else ""


def _after(key: bytes, raw: bytes) -> bytes:
    """Return the value of a key, as clients write it; inside of texts its quotes are escaped."""
    at = raw.find(key)
    if at < 0:
        return b""
    at = raw.find(b'"', at + len(key), at + len(key) + 3) + 1
    return raw[at : raw.find(b'"', at, at + 4_096)] if at else b""
