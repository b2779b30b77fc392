"""What every model that distils can do, and how it says that it could not: as an answer, never by raising."""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Protocol

    class Completer(Protocol):
        """Answers a prompt."""

        def complete(self, prompt: str, *, most: int = 4) -> Completion:
            """Ask at most ``most`` models, one after the other until one answers."""


PREVIEW = 600
NOTHING = "SKIP"


class Completion(Value):
    """What a model answered, what that took, and what went wrong; ``failed`` are those asked before.

    Neither the text nor the preview is redacted: that is for whoever keeps them.
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


class Null:
    """Answers that there is nothing to say, and costs nothing; for those who want all but a model."""

    def complete(self, prompt: str, *, most: int = 4) -> Completion:  # noqa: ARG002 - it asks nobody
        """Say that there is nothing."""
        return Completion(NOTHING, "null", "")
