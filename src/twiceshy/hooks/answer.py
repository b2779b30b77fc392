"""Wire one event up: payload to event, event to answer, and afterwards what must be remembered of it."""

from __future__ import annotations

import os

from twiceshy import app
from twiceshy.core.errors import StoreError
from twiceshy.core.event import CallFailed, CallSucceeded
from twiceshy.hooks import deadline
from twiceshy.hooks.desk import GIT_SECONDS, Desk
from twiceshy.hooks.respond import respond
from twiceshy.runtimes.claude_code import payload

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable

    from twiceshy.config.quick import Quick
    from twiceshy.config.resolved import Config
    from twiceshy.core.event import Event


def answer(raw: bytes, say: Callable[[str], None], leave: Callable[[], None]) -> None:
    """Answer one event. The answer is out before anything about it is written down.

    ``leave`` may end the process where it stands: the store is sound at any time.
    """
    project_dir = os.environ.get("CLAUDE_PROJECT_DIR", "")
    name, event = payload.parse(raw, project_dir=project_dir, now=app.clock())
    if event is None:
        return
    config = app.settings_in_hook(event.cwd)
    if (milliseconds := config.integer("hook.deadline_ms")) != deadline.MILLISECONDS:
        deadline.set_deadline(milliseconds)
    try:
        opening = app.opened_in_hook(config, event.cwd)
    except StoreError:
        _set_down(event, config)
        raise
    with opening as opened:
        deadline.last_words.append(opened.store.set_down)
        desk = Desk(event, opened)
        if text := respond(desk):
            say(payload.reply(name, text, ruling=desk.ruling))
        desk.clear()
        if not opened.store.worth_closing():
            leave()


def _set_down(event: Event, config: Config | Quick) -> None:
    """Leave an error in the spool when there is no store to keep it: it is mended some day."""
    if isinstance(event, CallFailed | CallSucceeded):
        from twiceshy.capture import signal_of

        gate = app.Gate(config)
        here = app.identify(event.cwd, config, patience=GIT_SECONDS)
        if signal := signal_of(event, project=here.id, skill="", redact=gate):
            app.set_down(signal, config)
