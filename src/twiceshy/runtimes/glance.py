"""Tell from a payload's bytes whether anything can come of it: most tool calls are not worth parsing.

All clients name these fields alike, ours included; what they call their events differs, and no two
mean different things by one name.
"""

from __future__ import annotations

# Events that say nothing that must be kept, and to which there is nothing to say.
_QUIET = frozenset((b"SubagentStop", b"PreCompress"))
# Events after which there may be something to learn.
_RESTS = frozenset((b"Stop", b"PreCompact", b"SessionEnd", b"AfterAgent"))
_PENDING = frozenset((b"PreToolUse", b"BeforeTool"))
_DONE = frozenset((b"PostToolUse", b"AfterTool"))
_READERS = frozenset((b"Read", b"read", b"read_file"))
_SHELLS = frozenset((b"Bash", b"bash", b"run_shell_command"))
_EVENT, _TOOL = b'"hook_event_name":', b'"tool_name":'
_SESSION, _CWD = b'"session_id":', b'"cwd":'


def worth_a_look(raw: bytes, runtime: str = "") -> bool:
    """Return False only if nothing can come of this payload; whatever looks odd is worth it."""
    event = _after(_EVENT, raw)
    if event not in _DONE:
        return bool(raw) and event not in _QUIET
    if b"SKILL.md" in raw:
        return True
    tool = _after(_TOOL, raw)
    if tool in _READERS:
        return False
    if tool not in _SHELLS:
        return True
    if runtime == "codex":
        from twiceshy.runtimes.codex.outcome import failed  # noqa: PLC0415 - it alone must ask

        if failed(raw):
            return True
    from twiceshy.core.failure import may_hold_failure  # noqa: PLC0415 - only a shell needs it

    return b"Exit Code:" in raw or may_hold_failure(raw)


def rests(raw: bytes) -> bool:
    """Tell whether the agent rests, so that what it did can be learned from."""
    return _after(_EVENT, raw) in _RESTS


def over(raw: bytes) -> bool:
    """Tell whether the session is over."""
    return _after(_EVENT, raw) == b"SessionEnd"


def pending(raw: bytes) -> bool:
    """Tell whether a call is about to be made."""
    return _after(_EVENT, raw) in _PENDING


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


def field(name: bytes, raw: bytes) -> bytes:
    """Return the text of a field, as far as it is written plainly."""
    return _after(b'"' + name + b'":', raw)


def _after(key: bytes, raw: bytes) -> bytes:
    """Return the value of a key, as clients write it; inside of texts its quotes are escaped."""
    at = raw.find(key)
    if at < 0:
        return b""
    at = raw.find(b'"', at + len(key), at + len(key) + 3) + 1
    return raw[at : raw.find(b'"', at, at + 4_096)] if at else b""
