"""The currency of a memory: what a turn saved and a token told count, in tokens."""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Protocol

    class Numbers(Protocol):
        """Settings that are numbers, by name."""

        def integer(self, name: str) -> int:
            """Return a whole number."""

        def number(self, name: str) -> float:
            """Return a number."""


class Prices(Value):
    """What a saved turn and a told token count, and what a lesson must save to be told.

    A turn reads a context of 50,000 tokens from the cache, at a tenth of the price, and writes
    200 at five times the price. A told token is read once, and from the cache in later turns.
    ``margin`` is how many times its cost a line must save; ``most_tokens`` bounds a session start.
    """

    turn: int = 6_000
    told: int = 4
    margin: float = 2.0
    most_tokens: int = 250

    def net_tokens(self, turns: float, tokens: float) -> float:
        """Return what is gained by saving turns and telling tokens."""
        return turns * self.turn - tokens * self.told


def read_prices(config: Numbers) -> Prices:
    """Return the prices of the user's settings."""
    return Prices(
        turn=config.integer("telling.turn_tokens"),
        told=config.integer("telling.token_price"),
        margin=config.number("telling.margin"),
        most_tokens=config.integer("telling.session_tokens"),
    )
