"""State of a client's session: folder, name, and feedback given."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from urllib.parse import unquote, urlsplit

from twiceshy import app as wiring
from twiceshy.config.load import load_config
from twiceshy.core.value import Value

# How the source of a runtime's own skill folders begins, by what its client calls itself.
_RUNTIMES = ("claude", "codex", "opencode", "gemini", "pi")


class ToolReply(Value):
    """Answer of a tool: text for the model, facts for programs, remarks."""

    text: str
    facts: Mapping[str, object] | None = None
    remarks: tuple[str, ...] = ()


class McpSession:
    """Shared state of a client's calls; the store is opened per call, so no lock lasts."""

    def __init__(self, place: str, *, session_id: str) -> None:
        self.place = place
        self.id = session_id
        self.client = ""
        self.claim = ""  # of the call that is being answered
        self.judged: set[tuple[str, str]] = set()

    @contextmanager
    def open_store(self) -> Iterator[wiring.App]:
        """Open the store with the settings of the client's project."""
        config = load_config(os.environ, cwd=self.place, home_dir=wiring.user_home())
        with wiring.open_app(config) as app:
            app.store.for_agents = True
            session = app.store.session(call=self.claim)
            app.store.author = session.id if session else self.id
            yield app.but(cwd=self.place)

    @property
    def preferred_runtime(self) -> str:
        """Return the client's runtime name, if known, for its skill folders."""
        words = self.client.lower().replace("_", "-").split("-")
        return next((name for name in _RUNTIMES if name in words), "")

    def enter_folder(self, roots: Iterable[str]) -> None:
        """Work in the first existing folder named by the client."""
        for uri in roots:
            parts = urlsplit(uri)
            path = os.path.normpath(unquote(parts.path)) if parts.scheme == "file" else ""
            if path and os.path.isabs(path) and os.path.isdir(path):
                self.place = path
                return
