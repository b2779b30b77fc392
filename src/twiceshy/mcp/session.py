"""One client's session with the server: where it works, who it is, and what it has already said."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from twiceshy import app as wiring
from twiceshy.config.load import load
from twiceshy.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

# How the source of a runtime's own skill folders begins, by what its client calls itself.
_RUNTIMES = ("claude", "codex", "opencode", "gemini", "pi")


class Reply(Value):
    """What a tool answers: text for the model, facts for programs, and remarks beside it."""

    text: str
    facts: Mapping[str, object] | None = None
    remarks: tuple[str, ...] = ()


class Session:
    """What all calls of one client share; the store is opened for each call, so no lock outlives it."""

    def __init__(self, place: str, *, session_id: str) -> None:
        self.place = place
        self.id = session_id
        self.client = ""
        self.claim = ""  # of the call that is being answered
        self.judged: set[tuple[str, str]] = set()

    @contextmanager
    def opened(self) -> Iterator[wiring.App]:
        """Open the store as the settings of the client's project say."""
        config = load(os.environ, cwd=self.place, home_dir=wiring.user_home())
        with wiring.opened(config) as app:
            session = app.store.session(call=self.claim)
            app.store.author = session.id if session else self.id
            yield app.but(cwd=self.place)

    @property
    def prefer(self) -> str:
        """Return whose skill folders come first: those of the client, if it is one we know."""
        words = self.client.lower().replace("_", "-").split("-")
        return next((name for name in _RUNTIMES if name in words), "")

    def settle_in(self, roots: Iterable[str]) -> None:
        """Work in the first folder that the client says it is about, if it is there."""
        for uri in roots:
            parts = urlsplit(uri)
            path = os.path.normpath(unquote(parts.path)) if parts.scheme == "file" else ""
            if path and os.path.isabs(path) and os.path.isdir(path):
                self.place = path
                return
