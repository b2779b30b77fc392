"""A pending call that could not be checked: ask the user where a rule or guard may stop it.

A store that is busy, damaged or waits for its conversion, a deadline that came first: rules and
guards must not be passed by because of that.
"""

from __future__ import annotations

import os

from twiceshy.core.prefilter_words import FOLDER, STRICT, name_watch_file, payload_may_match
from twiceshy.files import open_own
from twiceshy.recall.hook_log import log_expiry
from twiceshy.runtimes import STARTS_TOLD, load_payload_module

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from twiceshy.core.event import Event

_NO_TIME = "there was no time"
_KEY = "rules.key"  # whoever approved a rule has one


def end_late(
    runtime: str, raw: bytes, limit: str, say: Callable[[str], None], *, done: Collection[str] = ()
) -> None:
    """Ask about an unchecked call, log that a deadline came first, and hold the record.

    ``done`` names what the expired hook did itself: it ``said`` its reply, or ``held`` its record.
    """
    log_expiry(runtime, raw, limit)
    if "said" not in done and (reply := build_unchecked_reply(runtime, raw, why=_NO_TIME)):
        say(reply)
    if "held" not in done:
        hold_event(runtime, raw)


def build_unchecked_reply(runtime: str, raw: bytes, *, why: str) -> str:
    """Return the reply that asks about a call; empty if nothing could have stopped the call."""
    from twiceshy import app
    from twiceshy.core.event import CallPending

    payload = load_payload_module(runtime)
    name, event = payload.parse(raw, environ=os.environ, now=app.read_clock())
    if not isinstance(event, CallPending) or not may_be_stopped(
        raw, event, runtime=runtime, home=memory_home()
    ):
        return ""
    return payload.build_reply(name, explain_unchecked(why), ruling="ask")


def hold_event(runtime: str, raw: bytes) -> None:
    """Hold the record of an event that nobody answered."""
    from twiceshy import app
    from twiceshy.recall.capture import capture_record, hold_record

    event = load_payload_module(runtime).parse(raw, environ=os.environ, now=app.read_clock())[1]
    if event is not None:
        config = app.load_settings_in_hook(event.cwd)
        gate = app.build_hook_gate(config, event.session)
        if record := capture_record(event, runtime=runtime, home=config.home, redact=gate):
            hold_record(config.store, record, event.cwd)


def explain_unchecked(why: str) -> str:
    """Return the text for the user."""
    return (
        "<twiceshy-guard>This call may concern one of your rules or guards, and twiceshy could not"
        f" check it: {why}. Make sure that the user wants it.</twiceshy-guard>"
    )


def may_be_stopped(raw: bytes, event: Event, *, runtime: str, home: str) -> bool:
    """True if an ask or deny rule, or a guard that stops calls, may concern a payload.

    Without a prefilter of strict words, any push counts, and any call where rules were approved.
    """
    folder = os.path.join(home, FOLDER)
    # only these clients set it themselves; others may run inside one of them
    told = os.environ.get("CLAUDE_PROJECT_DIR", "") if runtime in STARTS_TOLD else ""
    start = told or event.cwd
    try:
        pointer = name_watch_file(os.fsencode(start), os.environ)
        with open(os.path.join(folder, pointer), "rb", opener=open_own) as file:
            project = file.read().decode("ascii")
        with open(os.path.join(folder, project + STRICT), "rb", opener=open_own) as lines:
            return payload_may_match(lines.read(), raw)
    except (OSError, ValueError):
        return payload_may_match(b"git\tpush\n", raw) or os.path.exists(os.path.join(home, _KEY))


def memory_home() -> str:
    """Return the memory home, without reading settings."""
    return os.environ.get("TWICESHY_HOME", "").strip() or os.path.expanduser("~/.twiceshy")
