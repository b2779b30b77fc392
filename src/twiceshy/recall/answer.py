"""Answer one event: parse the payload, hold its record, respond, write, reply."""

from __future__ import annotations

import os

from twiceshy import app
from twiceshy.core.event import CallFailed, CallPending, CallSucceeded, Compacted, PromptGiven
from twiceshy.recall.event_context import EventContext, log_run
from twiceshy.recall.respond import respond_to_event
from twiceshy.runtimes import load_payload_module

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from twiceshy.config.quick import QuickConfig
    from twiceshy.config.resolved import Config
    from twiceshy.core.event import Event
    from twiceshy.core.store import Observed
    from twiceshy.runtimes import Payload

    class Deadline(Protocol):
        """Ends a process that takes too long."""

        CPU_MS: int
        WALL_MS: int
        is_held: bool

        def set_deadline(self, cpu_ms: int, wall_ms: int) -> None:
            """Start the deadline anew."""

        def remaining_seconds(self) -> float:
            """Return the wall time left."""


_RULINGS = ("", "ask", "deny")


def answer_event(
    runtime: str,
    raw: bytes,
    say: Callable[[str], None],
    leave: Callable[[], None],
    deadline: Deadline | None = None,
) -> None:
    """Answer an event: hold its record, respond, write, and print the reply last.

    Text that is not on record is not told; only a reply that stops a call is always printed.
    ``leave`` may end the process at any point: the store stays sound. A server comes without a
    deadline, and limits its time itself.
    """
    payload = load_payload_module(runtime)
    name, event = payload.parse(raw, environ=os.environ, now=app.read_clock())
    if event is None:
        return
    config = app.load_settings_in_hook(event.cwd)
    if deadline:
        _apply_deadline(deadline, config)
    # what was found clean in the record is so in the store, too
    gate = app.build_hook_gate(config, event.session)
    record, held = _hold_record(event, runtime, config, gate)
    if deadline:
        deadline.is_held = True
    if record is None and isinstance(event, CallSucceeded) and event.tool == "Read":
        return  # there is nothing to tell about a file that was read
    with app.open_app_in_hook(config, event.cwd, gate) as opened:
        context = EventContext(event, opened, runtime, record=record, deadline=deadline)
        text = respond_to_event(context) or _ask_without_store(context, raw)
        _write_then_say(context, lambda: _build_reply(context, payload, name, text), say)
        if held:
            from twiceshy.recall.capture import release_record

            release_record(held)
        log_run(config, f"{runtime} {event.session} {name} {len(text)}", at=event.at)
        if app.claim_conversion(opened):
            from twiceshy.recall.background import start_background_job

            start_background_job(event.session)
        if not opened.store.close(in_haste=True):
            leave()


def _write_then_say(
    context: EventContext, build: Callable[[], str], say: Callable[[str], None]
) -> None:
    """Write every record, then build and print the reply.

    Without a record, only the reply of a rule or guard is printed, and what a memory tells that
    nobody may write to. A lesson never stops a call then.
    """
    try:
        context.flush_writes()
    except Exception:
        context.intervention = None
        reply = build()
        if reply and (context.ruling or context.store.read_only):
            say(reply)
            _log_told(context)
        raise
    if reply := build():
        say(reply)
        context.flush_shown()


def _log_told(context: EventContext) -> None:
    """Log that a text was told without a record: it may be told again, and is not measured."""
    from twiceshy.recall.hook_log import log_told

    log_told(context.app.config.home, type(context.event).__name__, at=context.event.at)


def _build_reply(context: EventContext, payload: Payload, name: str, text: str) -> str:
    """Build the reply; a rule or a guard may be stricter than the stop of a lesson."""
    ruling, own = context.ruling, context.intervention
    if own:
        text = context.complete_text(text)
        ruling = max(ruling, own.ruling, key=_RULINGS.index)
        if own.command and not ruling and isinstance(context.event, CallPending):
            changed = {**context.event.arguments, "command": own.command}
            return payload.build_reply(name, text, changed=changed)
    return payload.build_reply(name, text, ruling=ruling) if text else ""


def _apply_deadline(deadline: Deadline, config: Config | QuickConfig) -> None:
    """Set the limits of the settings, if they differ from the usual limits."""
    limits = config.integer("hook.deadline_ms"), config.integer("hook.wall_ms")
    if limits != (deadline.CPU_MS, deadline.WALL_MS):
        deadline.set_deadline(*limits)


def _hold_record(
    event: Event, runtime: str, config: Config | QuickConfig, gate: app.RedactionGate
) -> tuple[Observed | None, str]:
    """Return the record of an event, and the file that holds it; most events have none."""
    if not isinstance(event, CallFailed | CallSucceeded | Compacted | PromptGiven):
        return None, ""
    from twiceshy.recall.capture import capture_record, hold_record

    record = capture_record(event, runtime=runtime, home=config.home, redact=gate)
    try:
        return record, hold_record(config.store, record, event.cwd) if record else ""
    except OSError:
        return record, ""  # no room or no permission: the store will say so in a moment


def _ask_without_store(context: EventContext, raw: bytes) -> str:
    """Return a question about a pending call if no store could be asked for rules."""
    if not (context.store.is_stand_in and isinstance(context.event, CallPending)):
        return ""
    from twiceshy.recall.unchecked_call import explain_unchecked, may_be_stopped

    if not may_be_stopped(
        raw, context.event, runtime=context.runtime, home=context.app.config.home
    ):
        return ""
    context.ruling = "ask"
    return explain_unchecked("the store cannot be used right now (see twiceshy doctor)")
