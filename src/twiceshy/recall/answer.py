"""Answer one event: parse the payload, respond, then write records."""

from __future__ import annotations

import os

from twiceshy import app
from twiceshy.core.errors import StoreError
from twiceshy.core.event import CallFailed, CallSucceeded
from twiceshy.recall.event_context import GIT_SECONDS, EventContext, log_run
from twiceshy.recall.respond import respond_to_event
from twiceshy.runtimes import package_name_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Protocol

    from twiceshy.config.quick import QuickConfig
    from twiceshy.config.resolved import Config
    from twiceshy.core.event import Event

    class Deadline(Protocol):
        """Ends a slow process after its reply."""

        MILLISECONDS: int
        last_words: list[Callable[[], object]]

        def set_deadline(self, milliseconds: int) -> None:
            """Start the deadline."""

    class Payload(Protocol):
        """Payload module of a runtime."""

        def parse(
            self, raw: bytes, *, environ: Mapping[str, str], now: int
        ) -> tuple[str, Event | None]:
            """Parse an event."""

        def build_reply(self, name: str, text: str, *, ruling: str = "") -> str:
            """Render a reply."""


def answer_event(
    runtime: str,
    raw: bytes,
    say: Callable[[str], None],
    leave: Callable[[], None],
    deadline: Deadline | None = None,
) -> None:
    """Answer an event; the reply is printed before anything is written.

    ``leave`` may end the process at any point: the store stays sound. A server comes without a
    deadline, and limits its time itself.
    """
    payload = load_payload_module(runtime)
    name, event = payload.parse(raw, environ=os.environ, now=app.read_clock())
    if event is None:
        return
    config = app.load_settings_in_hook(event.cwd)
    if deadline and (limit := config.integer("hook.deadline_ms")) != deadline.MILLISECONDS:
        deadline.set_deadline(limit)
    try:
        opening = app.open_app_in_hook(config, event.cwd)
    except StoreError:
        _spool_failure(event, config)
        raise
    with opening as opened:
        if deadline:
            deadline.last_words.append(opened.store.spool_pending)
        desk = EventContext(event, opened, runtime)
        if text := respond_to_event(desk):
            say(payload.build_reply(name, text, ruling=desk.ruling))
        desk.flush_writes()
        log_run(config, f"{runtime} {event.session} {name} {len(text)}", at=event.at)
        if app.claim_conversion(opened):
            from twiceshy.recall.background import start_background_job

            start_background_job(event.session)
        if not opened.store.close(in_haste=True):
            leave()


def load_payload_module(runtime: str) -> Payload:
    """Return the payload module of a runtime."""
    name = f"twiceshy.runtimes.{package_name_of(runtime)}.payload"
    module: Payload = __import__(name, fromlist=["parse"])  # importlib takes longer
    return module


def _spool_failure(event: Event, config: Config | QuickConfig) -> None:
    """Spool a failure when no store can be opened."""
    if isinstance(event, CallFailed | CallSucceeded):
        from twiceshy.recall.capture import capture_failure

        gate = app.RedactionGate(config)
        here = app.identify_project(event.cwd, config, patience=GIT_SECONDS)
        if signal := capture_failure(event, project=here.id, skill="", redact=gate):
            app.spool_signal(signal, config)
