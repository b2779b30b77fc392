"""Open the store for a command, and report a rescue of a damaged store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from twiceshy import app
from twiceshy.cli.output import print_message
from twiceshy.config.resolved import Config
from twiceshy.wording import worded


@contextmanager
def open_app(config: Config | None = None) -> Iterator[app.App]:
    """Open the configured store, and close it afterwards."""
    with app.open_app(config) as session:
        rescued = session.store.rescued
        if rescued:
            print_message(
                worded("the store was damaged; it is set aside in {path}", path=rescued.path)
            )
            count = rescued.rows.get("notes", 0)
            print_message(
                worded("hint: {count} notes could be read; see: twiceshy doctor", count=count)
            )
        yield session
