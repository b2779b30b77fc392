"""The currency of a memory: what a turn saved and a token told count, in tokens."""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.config.quick import QuickConfig
    from twiceshy.config.resolved import Config


class Prices(Value):
    """What a saved turn and a told token count.

    A turn reads a context of 50,000 tokens from the cache, at a tenth of the price, and writes
    200 at five times the price. A told token is read once, and from the cache in later turns.
    """

    turn: int = 6_000
    told: int = 4

    def net_tokens(self, turns: float, tokens: float) -> float:
        """Return what is gained by saving turns and telling tokens."""
        return turns * self.turn - tokens * self.told


def read_prices(config: Config | QuickConfig) -> Prices:
    """Return the prices of the user's settings."""
    return Prices(config.integer("telling.turn_tokens"), config.integer("telling.token_price"))
