"""Check payload bytes quickly: most tool calls are not worth parsing.

Every client uses these field names; event names differ, without contradictions.
"""

from twiceshy.runtimes.fields import extract_field

# Events that say nothing that must be kept, and to which there is nothing to say.
_QUIET = frozenset((b"SubagentStop", b"PreCompress"))
# Events after which there may be something to learn.
_RESTS = frozenset((b"Stop", b"PreCompact", b"SessionEnd", b"AfterAgent"))
# Clients that let a hook add to the instructions of their summariser, and the event for that.
_SUMMARISERS = ("claude-code", "opencode", "pi")
_SUMMARY_AHEAD = b"PreCompact"
_PENDING = frozenset((b"PreToolUse", b"BeforeTool"))
_DONE = frozenset((b"PostToolUse", b"AfterTool"))
_READERS = frozenset((b"Read", b"read", b"read_file"))
_SHELLS = frozenset((b"Bash", b"bash", b"run_shell_command"))
# Before an edit: most clients do not tell of one that went well.
_EDITORS = frozenset(
    (
        *(b"Edit", b"MultiEdit", b"Write", b"NotebookEdit"),
        *(b"edit", b"multiedit", b"write", b"patch", b"apply_patch"),
    )
)
_EVENT, _TOOL, _SESSION, _CWD = b"hook_event_name", b"tool_name", b"session_id", b"cwd"
_AGENT = b"agent_id"
FIRST_USE = b".first"
_ERROR = b'"error":'  # Gemini CLI tells of all that failed and all that went well by one event
# Codex tells whoever it shall notify that a turn is over, and calls its sessions threads then.
_TYPE, _NOTICE, _THREAD = b"type", b"agent-turn-complete", b"thread-id"


def may_matter(raw: bytes, runtime: str = "") -> bool:
    """Return False only if the payload cannot matter; odd payloads pass."""
    event = extract_field(_EVENT, raw)
    if event not in _DONE:
        return bool(raw) and event not in _QUIET
    if b"SKILL.md" in raw:
        return True
    tool = extract_field(_TOOL, raw)
    if tool in _READERS:
        return _ERROR in raw
    if tool not in _SHELLS:
        return runtime != "gemini" or tool == b"activate_skill" or _ERROR in raw
    if runtime == "codex":
        from twiceshy.runtimes.codex.outcome import has_failed  # noqa: PLC0415 - it alone must ask

        if has_failed(raw):
            return True
    from twiceshy.shell.failure import may_hold_failure  # noqa: PLC0415 - only a shell needs it

    return b"Exit Code:" in raw or may_hold_failure(raw)


def name_window(raw: bytes, *, answered: bool) -> bytes:
    """Return the file that counts the calls still recorded of an agent; empty for other events.

    The fix of a failure is a later call that worked: see ``recall.capture``. A result that is
    ``answered`` is recorded with the answer.
    """
    event = extract_field(_EVENT, raw)
    edits = event == b"PreToolUse" and extract_field(_TOOL, raw) in _EDITORS
    if not (edits or (event in _DONE and not answered)):
        return b""
    session, agent = extract_field(_SESSION, raw), extract_field(_AGENT, raw)
    name = session + b"." + agent if agent else session
    return name if session and _is_file_name(name.replace(b".", b"", 1)) else b""


def name_watch(raw: bytes) -> bytes:
    """Return the file of programs about which something is told at their first use in a session.

    Empty for other events than the result of a shell command, and for other agents of the session.
    """
    if extract_field(_EVENT, raw) not in _DONE or extract_field(_TOOL, raw) not in _SHELLS:
        return b""
    session = extract_field(_SESSION, raw)
    own = session and _is_file_name(session) and not extract_field(_AGENT, raw)
    return session + FIRST_USE if own else b""


def _is_file_name(name: bytes) -> bool:
    return name.replace(b"-", b"").replace(b"_", b"").isalnum()


def is_turn_end(raw: bytes) -> bool:
    """True at the end of a turn, when the background job may learn."""
    event = extract_field(_EVENT, raw)
    return event in _RESTS if event else extract_field(_TYPE, raw) == _NOTICE


def may_go_on(raw: bytes) -> bool:
    """True at the end of a turn after which a hook can make the agent go on."""
    return extract_field(_EVENT, raw) == b"Stop"


def can_ask_summariser(raw: bytes, runtime: str) -> bool:
    """True before a compaction whose summariser a hook can ask for something."""
    return runtime in _SUMMARISERS and extract_field(_EVENT, raw) == _SUMMARY_AHEAD


def is_session_end(raw: bytes) -> bool:
    """True at the end of a session."""
    return extract_field(_EVENT, raw) == b"SessionEnd"


def is_pending_call(raw: bytes) -> bool:
    """True for a pending call."""
    return extract_field(_EVENT, raw) in _PENDING


def extract_session(raw: bytes) -> bytes:
    """Return the session id."""
    return extract_field(_SESSION, raw) or extract_field(_THREAD, raw)


def extract_directory(raw: bytes) -> bytes:
    """Return the directory, if written without escapes."""
    place = extract_field(_CWD, raw)
    return b"" if b"\\" in place else place


def extract_event_name(raw: bytes) -> str:
    """Return the event name, if valid."""
    name = extract_field(_EVENT, raw).decode("ascii", "replace")
    return name if name.isalpha() else ""
