"""Learn the secrets of a text that nothing is kept of: a call that worked, and a prompt.

Only keyed hashes are kept, by which later texts of the session are redacted.
"""

from __future__ import annotations

import os

from twiceshy import app
from twiceshy.core.event import CallSucceeded, PromptGiven
from twiceshy.runtimes import load_payload_module
from twiceshy.safety.redact import redact_ends

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.event import Event


def learn_shown_secrets(runtime: str, raw: bytes) -> None:
    """Let the redaction gate of the session see the texts of an event."""
    event = load_payload_module(runtime).parse(raw, environ=os.environ, now=app.read_clock())[1]
    if texts := _list_texts(event):
        assert event  # noqa: S101 - nothing has no texts
        gate = app.build_hook_gate(app.load_settings_in_hook(event.cwd), event.session)
        for text in texts:
            redact_ends(text, gate)


def _list_texts(event: Event | None) -> list[str]:
    match event:
        case CallSucceeded():
            texts = [text for text in event.arguments.values() if isinstance(text, str)]
            return [*texts, event.output]
        case PromptGiven():
            return [event.prompt]
        case _:
            return []
