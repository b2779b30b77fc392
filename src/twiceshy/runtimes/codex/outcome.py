"""Facts missing in Codex hook payloads, read from the rollout.

Exit status, directory of a command, and the summary of a compaction. The rollout's tail is
searched as bytes; a missing status counts as success.
"""

from twiceshy.runtimes.fields import extract_field, read_last_lines

_TAIL = 1 << 19  # bytes; what one call printed is cut to a fifth of that by the client
_CODE = b'"exit_code":'
_PLACE = b"file://"


def has_failed(raw: bytes) -> bool:
    """True if the payload's command returned a failure status."""
    return find_exit_code(raw) not in (b"", b"0")


def find_exit_code(raw: bytes) -> bytes:
    """Return the exit status of the payload's command; empty if unknown."""
    return _parse_number(_find_record(raw))


def has_rollout(raw: bytes) -> bool:
    """True if the payload's rollout is there: an exit status may be in it."""
    path = _rollout_path(raw)
    return bool(path and read_last_lines(path, 1))


def find_directory(raw: bytes) -> str:
    """Return the directory of the payload's command, perhaps not the session's."""
    written = extract_field(b"cwd", _find_record(raw).replace(b'": ', b'":'))
    if not written.startswith(_PLACE) or b"\\" in written:
        return ""
    from urllib.parse import unquote  # noqa: PLC0415 - only who reads a skill by a short path asks

    return unquote(written[len(_PLACE) :].decode("utf-8", "replace"))


def find_summary(raw: bytes) -> str:
    """Return the newest compaction summary in the rollout; empty if none."""
    for line in reversed(_read_rollout_tail(raw)):
        if b'"compacted"' in line[:200]:
            from twiceshy.runtimes.codex.transcript_words import extract_summary  # noqa: PLC0415 - as above
            from twiceshy.runtimes.records import get_text, parse_line  # noqa: PLC0415 - as above

            return extract_summary(get_text(parse_line(line) or {}, "payload", "message"))
    return ""


def _find_record(raw: bytes) -> bytes:
    """Return the record of the payload's command."""
    call = extract_field(b"tool_use_id", raw)
    named = b'"id":"' + call + b'"'
    for line in reversed(_read_rollout_tail(raw)) if call else ():
        if b'"CommandExecution"' in line and named in line[:1_000].replace(b'": ', b'":'):
            return line
    return b""


def _read_rollout_tail(raw: bytes) -> list[bytes]:
    """Return the last records of the payload's rollout."""
    path = _rollout_path(raw)
    return read_last_lines(path, _TAIL) if path else []


def _rollout_path(raw: bytes) -> bytes:
    path = extract_field(b"transcript_path", raw)
    return b"" if b"\\" in path or not path.startswith(b"/") else path


def _parse_number(line: bytes) -> bytes:
    at = line.rfind(_CODE)
    if at < 0:
        return b""
    rest = line[at + len(_CODE) : at + len(_CODE) + 16].lstrip()
    sign = rest[:1] if rest[:1] == b"-" else b""
    digits = rest[len(sign) :]
    length = len(digits) - len(digits.lstrip(b"0123456789"))
    return sign + digits[:length]
