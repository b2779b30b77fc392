"""Open the store for a command, and say so if it had to be rescued."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from twiceshy import app
from twiceshy.cli.output import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.config.resolved import Config


@contextmanager
def opened(config: Config | None = None) -> Iterator[app.App]:
    """Open the configured store, and close it afterwards."""
    with app.opened(config) as session:
        rescued = session.store.rescued
        if rescued:
            say(f"the store was damaged; it is set aside in {rescued.path}")
            say(f"hint: {rescued.rows.get('notes', 0)} notes could be read; see: twiceshy doctor")
        yield session
