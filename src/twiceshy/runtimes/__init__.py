"""Clients that run agents: a folder each, translating between their words and ours."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from twiceshy.core.event import Event

    class Payload(Protocol):
        """Payload module of a runtime."""

        def parse(
            self, raw: bytes, *, environ: Mapping[str, str], now: int
        ) -> tuple[str, Event | None]:
            """Parse an event."""

        def build_reply(
            self,
            name: str,
            text: str,
            *,
            ruling: str = "",
            changed: Mapping[str, object] | None = None,
        ) -> str:
            """Render a reply; ``changed`` are the arguments of a rewritten call."""


RUNTIMES = ("claude-code", "codex", "opencode", "pi", "gemini")
STARTS_TOLD = ("claude-code", "gemini")  # they name the directory in which a session began


def package_name_of(runtime: str) -> str:
    """Return the package name of a runtime."""
    return runtime.replace("-", "_")


def load_payload_module(runtime: str) -> Payload:
    """Return the payload module of a runtime."""
    name = f"twiceshy.runtimes.{package_name_of(runtime)}.payload"
    module: Payload = __import__(name, fromlist=["parse"])  # importlib takes longer
    return module
