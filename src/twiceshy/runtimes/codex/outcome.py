"""How a command ended, which Codex's hooks do not tell: its rollout does, a moment before the hook runs.

The rollout's tail is looked at as bytes; whatever cannot be found there is taken for a success.
"""

from __future__ import annotations

try:
    import posix as system
except ImportError:  # Windows
    import nt as system  # type: ignore[no-redef]  # the same functions under another name

from twiceshy.runtimes.glance import field

_TAIL = 1 << 18  # bytes; what one call printed is cut to less by the client
_ONLY_FILES = getattr(system, "O_NOFOLLOW", 0) | getattr(system, "O_NONBLOCK", 0)
_KEY = b'"exit_code":'


def failed(raw: bytes) -> bool:
    """Tell whether the command that a payload tells of came back with a status of failure."""
    return exit_code(raw) not in (b"", b"0")


def exit_code(raw: bytes) -> bytes:
    """Return the status that a payload's command ended with; nothing if nobody wrote it down."""
    call, path = field(b"tool_use_id", raw), field(b"transcript_path", raw)
    if not call or b"\\" in path or not path.startswith(b"/"):
        return b""
    for line in reversed(_tail(path).splitlines()):
        if b'"CommandExecution"' in line and b'"id":"' + call + b'"' in line.replace(b": ", b":"):
            return _number(line)
    return b""


def _tail(path: bytes) -> bytes:
    """Return the end of a file; nobody waits for a pipe, and a link is not followed."""
    try:
        handle = system.open(path, system.O_RDONLY | _ONLY_FILES)
    except OSError:
        return b""
    try:
        size = system.fstat(handle).st_size
        system.lseek(handle, max(0, size - _TAIL), 0)
        return system.read(handle, _TAIL)
    except OSError:
        return b""
    finally:
        system.close(handle)


def _number(line: bytes) -> bytes:
    at = line.rfind(_KEY)
    if at < 0:
        return b""
    rest = line[at + len(_KEY) : at + len(_KEY) + 16].lstrip()
    sign = rest[:1] if rest[:1] == b"-" else b""
    digits = rest[len(sign) :]
    length = len(digits) - len(digits.lstrip(b"0123456789"))
    return sign + digits[:length]
