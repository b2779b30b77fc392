"""Record one of the few calls behind a failure: the call that fixes the failure is among them.

Nothing is told, so the store stays closed.
"""

from __future__ import annotations

import os

from twiceshy import app
from twiceshy.core.event import CallPending, CallSucceeded
from twiceshy.recall.capture import CALLS, append_call
from twiceshy.runtimes import load_payload_module, quick_look


def follows_failure(raw: bytes, *, answered: bool) -> bool:
    """True for one of the few calls behind a failure, in a process that goes on."""
    window = quick_look.name_window(raw, answered=answered)
    home = os.environ.get("TWICESHY_HOME", "").strip() or os.path.expanduser("~/.twiceshy")
    try:
        path = os.path.join(home, CALLS, os.fsdecode(window))
        return bool(window) and os.stat(path).st_size > 0
    except OSError:
        return False


def record_later_call(runtime: str, raw: bytes) -> None:
    """Append a call that worked, or an edit about to be made, to the captured calls."""
    event = load_payload_module(runtime).parse(raw, environ=os.environ, now=app.read_clock())[1]
    if not isinstance(event, CallSucceeded | CallPending):
        return
    config = app.load_settings_in_hook(event.cwd)
    gate = app.build_hook_gate(config, event.session)
    append_call(config.home, event, "", runtime=runtime, redact=gate)
