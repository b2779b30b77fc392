"""Interface of distilling models; failures are returned, never raised."""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Protocol

    class Completer(Protocol):
        """Answers a prompt."""

        def complete(self, prompt: str, *, most: int = 4) -> Completion:
            """Ask at most ``most`` models in turn until an answer arrives."""


PREVIEW = 600
NOTHING = "SKIP"


class Completion(Value):
    """An answer of a model, with cost and error; ``failed`` are models asked before.

    Text and preview are not redacted: the caller redacts before keeping them.
    """

    text: str
    backend: str
    model: str
    error: str = ""  # nothing when all is well
    preview: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    milliseconds: int = 0
    failed: tuple[Completion, ...] = ()


class NoCompleter:
    """Answers nothing, at no cost; for running without a model."""

    def complete(self, prompt: str, *, most: int = 4) -> Completion:  # noqa: ARG002 - it asks nobody
        """Return an empty answer."""
        return Completion(NOTHING, "null", "")
