"""Read the prices of turns and tokens from the user's settings."""

from __future__ import annotations

from twiceshy.core.prices import Prices

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.config.quick import QuickConfig
    from twiceshy.config.resolved import Config


def read_prices(config: Config | QuickConfig) -> Prices:
    """Return the prices of the user's settings."""
    return Prices(
        turn=config.integer("telling.turn_tokens"),
        told=config.integer("telling.token_price"),
        margin=config.number("telling.margin"),
        most_tokens=config.integer("telling.session_tokens"),
    )
