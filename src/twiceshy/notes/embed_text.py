"""Embed queries and new notes with the chosen model; without a model, nothing."""

from __future__ import annotations

from twiceshy.core.errors import EmbedderError
from twiceshy.notes.embed import embed_missing, query_meaning

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable

    from twiceshy.app import App
    from twiceshy.language.vector import QueryVector

    Tell = Callable[[str], object]

_AT_ONCE = 16  # notes that wait for a vector are caught up with when one is written


def embed_query(app: App, text: str, *, tell: Tell) -> QueryVector | None:
    """Return the query vector of the chosen model; None leaves the word table."""
    try:
        embedder = app.build_embedder()
        return query_meaning(app.redact(text), embedder) if embedder and text.strip() else None
    except EmbedderError as error:
        tell(f"without the model: {error}")
        return None


def embed_new_notes(app: App, *, tell: Tell) -> None:
    """Embed the newest notes with the chosen model; notes are kept in any case."""
    try:
        if embedder := app.build_embedder():
            for _ in embed_missing(app.store, embedder, most=_AT_ONCE):
                pass
    except EmbedderError as error:
        tell(f"noted, but the model has not seen it: {error}")
        tell("hint: twiceshy reembed asks it again")
