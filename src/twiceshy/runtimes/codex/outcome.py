"""What Codex's hooks do not tell and its rollout does, a moment before the hook runs.

How a command ended, in which directory it ran, and what is left of a conversation after a compaction.
The rollout's tail is looked at as bytes; a status that cannot be found there is taken for a success.
"""

from __future__ import annotations

from twiceshy.runtimes.fields import field
from twiceshy.runtimes.tail import last_lines

_TAIL = 1 << 19  # bytes; what one call printed is cut to a fifth of that by the client
_CODE = b'"exit_code":'
_PLACE = b"file://"


def failed(raw: bytes) -> bool:
    """Tell whether the command that a payload tells of came back with a status of failure."""
    return exit_code(raw) not in (b"", b"0")


def exit_code(raw: bytes) -> bytes:
    """Return the status that a payload's command ended with; nothing if nobody wrote it down."""
    return _number(_line(raw))


def place(raw: bytes) -> str:
    """Return the directory that a payload's command ran in, which need not be the session's."""
    written = field(b"cwd", _line(raw).replace(b'": ', b'":'))
    if not written.startswith(_PLACE) or b"\\" in written:
        return ""
    from urllib.parse import unquote  # noqa: PLC0415 - only who reads a skill by a short path asks

    return unquote(written[len(_PLACE) :].decode("utf-8", "replace"))


def summary(raw: bytes) -> str:
    """Return what the newest compaction left, as the rollout has it; nothing if it has none."""
    for line in reversed(_rollout(raw)):
        if b'"compacted"' in line[:200]:
            from twiceshy.runtimes.codex.transcript_words import left_over  # noqa: PLC0415 - as above
            from twiceshy.runtimes.jsonl import parsed, text_at  # noqa: PLC0415 - as above

            return left_over(text_at(parsed(line) or {}, "payload", "message"))
    return ""


def _line(raw: bytes) -> bytes:
    """Return the record of a payload's command."""
    call = field(b"tool_use_id", raw)
    named = b'"id":"' + call + b'"'
    for line in reversed(_rollout(raw)) if call else ():
        if b'"CommandExecution"' in line and named in line[:1_000].replace(b'": ', b'":'):
            return line
    return b""


def _rollout(raw: bytes) -> list[bytes]:
    """Return the last records of a payload's rollout."""
    path = field(b"transcript_path", raw)
    if b"\\" in path or not path.startswith(b"/"):
        return []
    return last_lines(path, _TAIL)


def _number(line: bytes) -> bytes:
    at = line.rfind(_CODE)
    if at < 0:
        return b""
    rest = line[at + len(_CODE) : at + len(_CODE) + 16].lstrip()
    sign = rest[:1] if rest[:1] == b"-" else b""
    digits = rest[len(sign) :]
    length = len(digits) - len(digits.lstrip(b"0123456789"))
    return sign + digits[:length]
