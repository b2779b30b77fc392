"""What went wrong in hooks, one line each: they must be silent, so this is where they talk."""

from __future__ import annotations

import os

NAME = "hook.log"
_LARGEST = 256 << 10  # bytes; then the older half makes room
_LONGEST = 300


def report(runtime: str, raw: bytes, error: Exception) -> None:
    """Append what happened, without a word of what the session said."""
    from twiceshy import app
    from twiceshy.core.moment import stamp
    from twiceshy.core.text import clean, one_line
    from twiceshy.runtimes.glance import event_of
    from twiceshy.safety.redact import redact

    home = app.settings_in_hook(os.getcwd()).home
    event = event_of(raw) or "?"
    what = redact(f"{type(error).__name__}: {_said(error)}{_where(error)}")
    line = f"{stamp(app.clock())[:19]}Z {runtime or '?'} {event} {what}"
    append(os.path.join(home, NAME), one_line(clean(line), limit=_LONGEST))


def append(path: str, line: str) -> None:
    """Add a line to the log, owner-only; a log that has grown too long loses its older half."""
    if not os.path.isdir(os.path.dirname(path)):
        return  # there is no memory here, and a failure is no reason to begin one
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, f"{line}\n".encode("utf-8", "replace"))
        if os.fstat(handle).st_size > _LARGEST:
            halve(path)
    finally:
        os.close(handle)


def _said(error: Exception) -> str:
    """Return the words of an error that are ours; those of others may quote what they choked on."""
    from twiceshy.core.errors import TwiceshyError

    return str(error) if isinstance(error, TwiceshyError | OSError) else ""


def _where(error: Exception) -> str:
    """Return the place of ours where it happened, if it was a surprise."""
    from twiceshy.core.errors import TwiceshyError

    trace, place = error.__traceback__, ""
    while trace:
        name = trace.tb_frame.f_code.co_filename
        if os.sep + "twiceshy" + os.sep in name:
            place = f" ({os.path.basename(name)}:{trace.tb_lineno})"
        trace = trace.tb_next
    return "" if isinstance(error, TwiceshyError) else place


def halve(path: str) -> None:
    """Let the older half of a log go."""
    with open(path, "rb") as file:
        text = file.read()
    kept = text[len(text) // 2 :].partition(b"\n")[2]
    draft = f"{path}.{os.getpid()}"
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(kept)
    os.replace(draft, path)
