"""The hook log: one line per error or expiry, because hooks must be silent."""

from __future__ import annotations

import os

NAME = "hook.log"
EXPIRED, ENDED = "DeadlineExpired", "HookEnded"  # of a hook that did not finish
UNRECORDED = "NotRecorded"  # what a hook did not do because it could not be written down
TOLD = "ToldUnrecorded"  # what a hook told though it could not be written down
_LARGEST = 256 << 10  # bytes; then the older half makes room
_LONGEST = 300


def report_error(runtime: str, raw: bytes, error: Exception) -> None:
    """Log an error without session content."""
    from twiceshy import app
    from twiceshy.core.moment import format_stamp
    from twiceshy.core.text import fold_to_line, strip_unsafe
    from twiceshy.runtimes.quick_look import extract_event_name
    from twiceshy.safety.redact import redact

    home = os.environ.get("TWICESHY_HOME") or os.path.expanduser("~/.twiceshy")
    event = extract_event_name(raw) or "?"
    what = redact(f"{type(error).__name__}: {_safe_message(error)}{_own_location(error)}")
    line = f"{format_stamp(app.read_clock())[:19]}Z {runtime or '?'} {event} {what}"
    _append_line(home, fold_to_line(strip_unsafe(line), limit=_LONGEST))


def log_ended(home: str, what: str, *, at: int) -> None:
    """Log that a hook was ended by others before its record was stored."""
    from twiceshy.core.moment import format_stamp

    line = f"{format_stamp(at)[:19]}Z ? ? {ENDED}: its record ({what[:20]}) was stored later"
    _append_line(home, line)


def log_unrecorded(home: str, what: str, *, at: int) -> None:
    """Log that a stop or rewrite was not made, because it could not be recorded."""
    from twiceshy.core.moment import format_stamp

    line = f"{format_stamp(at)[:19]}Z ? PreToolUse {UNRECORDED}: no {what} was made, the store could not be written"
    _append_line(home, line)


def log_told(home: str, event: str, *, at: int) -> None:
    """Log that a text was told without a record, from a memory that cannot be written."""
    from twiceshy.core.moment import format_stamp

    _append_line(home, f"{format_stamp(at)[:19]}Z ? {event} {TOLD}: nothing could be written")


def locate_fallback(home: str) -> str:
    """Return the log for a memory home that cannot be written, in the folder of temporary files."""
    from twiceshy.core.prefilter_words import hash_name

    folder = os.environ.get("TMPDIR") or "/tmp"  # noqa: S108 - only a file of this user is used
    name = f"twiceshy-{os.geteuid()}-{hash_name(os.path.abspath(home).encode())}.log"
    return os.path.join(folder, name)


def _append_line(home: str, line: str) -> None:
    """Append a line to the log of a memory home; none where there is no home."""
    from twiceshy.files import find_foreign_place
    from twiceshy.files.log import append_lines, append_own_line

    ours = not find_foreign_place(home)
    written = ours and append_lines(os.path.join(home, NAME), [line], most=_LARGEST)
    if not written and os.path.isdir(home):
        append_own_line(locate_fallback(home), line, most=_LARGEST)


def log_expiry(runtime: str, raw: bytes, limit: str) -> None:
    """Log that a deadline came first; loads no settings, because little time is left."""
    import time

    from twiceshy.runtimes.quick_look import extract_event_name

    home = os.environ.get("TWICESHY_HOME") or os.path.expanduser("~/.twiceshy")
    at = os.environ.get("TWICESHY_NOW") or time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    line = f"{at[:19]}Z {runtime} {extract_event_name(raw) or '?'} {EXPIRED}: {limit} used up"
    _append_line(home, line)


def _safe_message(error: Exception) -> str:
    """Return the message of our own errors; foreign messages may quote content."""
    from twiceshy.core.errors import TwiceshyError

    return str(error) if isinstance(error, TwiceshyError | OSError) else ""


def _own_location(error: Exception) -> str:
    """Return our own source location of an unexpected error."""
    from twiceshy.core.errors import TwiceshyError

    trace, place = error.__traceback__, ""
    while trace:
        name = trace.tb_frame.f_code.co_filename
        if os.sep + "twiceshy" + os.sep in name:
            place = f" ({os.path.basename(name)}:{trace.tb_lineno})"
        trace = trace.tb_next
    return "" if isinstance(error, TwiceshyError) else place
