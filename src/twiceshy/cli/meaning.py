"""What a query, or a new note, means to the model that the user chose; without one, or when it fails, nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.cli.output import say

if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.vector import Meaning

_AT_ONCE = 16  # notes that wait for a vector are caught up with when one is written


def asked(app: App, text: str) -> Meaning | None:
    """Return what a query means to the chosen model; None leaves it to the table of words."""
    from twiceshy.curate.embed import query_meaning
    from twiceshy.models.port import EmbedderError

    try:
        embedder = app.embedder()
        return query_meaning(app.redact(text), embedder) if embedder and text.strip() else None
    except EmbedderError as error:
        say(f"without the model: {error}")
        return None


def embed_new(app: App) -> None:
    """Have the chosen model say what the newest notes mean; they are kept whether it does or not."""
    from twiceshy.curate.embed import embed_missing
    from twiceshy.models.port import EmbedderError

    try:
        if embedder := app.embedder():
            for _ in embed_missing(app.store, embedder, most=_AT_ONCE):
                pass
    except EmbedderError as error:
        say(f"noted, but the model has not seen it: {error}")
        say("hint: twiceshy reembed asks it again")
