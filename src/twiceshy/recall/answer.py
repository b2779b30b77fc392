"""Answer one event: parse the payload, respond, then write records."""

from __future__ import annotations

import os

from twiceshy import app
from twiceshy.core.errors import StoreError
from twiceshy.core.event import CallFailed, CallSucceeded
from twiceshy.recall.event_context import GIT_SECONDS, Desk, log_run
from twiceshy.recall.respond import respond
from twiceshy.runtimes import folder_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Protocol

    from twiceshy.config.quick import Quick
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

        def reply(self, name: str, text: str, *, ruling: str = "") -> str:
            """Render a reply."""


def answer(
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
    payload = payload_of(runtime)
    name, event = payload.parse(raw, environ=os.environ, now=app.clock())
    if event is None:
        return
    config = app.settings_in_hook(event.cwd)
    if deadline and (limit := config.integer("hook.deadline_ms")) != deadline.MILLISECONDS:
        deadline.set_deadline(limit)
    try:
        opening = app.opened_in_hook(config, event.cwd)
    except StoreError:
        _set_down(event, config)
        raise
    with opening as opened:
        if deadline:
            deadline.last_words.append(opened.store.set_down)
        desk = Desk(event, opened, runtime)
        if text := respond(desk):
            say(payload.reply(name, text, ruling=desk.ruling))
        desk.clear()
        log_run(config, f"{runtime} {event.session} {name} {len(text)}", at=event.at)
        if app.claim_conversion(opened):
            from twiceshy.recall.background import learn_later

            learn_later(event.session)
        if not opened.store.close(in_haste=True):
            leave()


def payload_of(runtime: str) -> Payload:
    """Return the payload module of a runtime."""
    name = f"twiceshy.runtimes.{folder_of(runtime)}.payload"
    module: Payload = __import__(name, fromlist=["parse"])  # importlib takes longer
    return module


def _set_down(event: Event, config: Config | Quick) -> None:
    """Spool a failure when no store can be opened."""
    if isinstance(event, CallFailed | CallSucceeded):
        from twiceshy.recall.capture import signal_of

        gate = app.Gate(config)
        here = app.identify(event.cwd, config, patience=GIT_SECONDS)
        if signal := signal_of(event, project=here.id, skill="", redact=gate):
            app.set_down(signal, config)
