"""What the model server must know of a wire protocol; each protocol is one module that says it."""

from collections.abc import Iterator
from typing import Any, Protocol

from tests.journeys.lab.script import Asked, Step

Json = dict[str, Any]


class Wire(Protocol):
    """How one vendor's clients and models talk."""

    def serves(self, path: str) -> bool:
        """Tell whether a request to this path wants an answer of the model."""

    def asked(self, path: str, body: Json) -> Asked:
        """Read a request; some vendors put the model into the path."""

    def whole(self, step: Step, model: str) -> Json:
        """Write an answer in one piece."""

    def stream(self, step: Step, model: str) -> Iterator[tuple[str, Json | str]]:
        """Write an answer as server-sent events: a name, which may be empty, and what is sent."""

    def aside(self, path: str, raw: str) -> Json | None:
        """Answer what needs no model, such as a token count; None if the path is unknown."""

    def prompt(self, body: Json) -> tuple[list[object], list[object]]:
        """Return what comes before the conversation, and the conversation's messages.

        Marks that tell the vendor where to cache are left out: they move with every request and are
        no part of what the model reads.
        """
