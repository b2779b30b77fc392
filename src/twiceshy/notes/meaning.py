"""What a query, or a new note, means to the model that the user chose; without one, or when it fails, nothing."""

from __future__ import annotations

from twiceshy.core.errors import EmbedderError
from twiceshy.notes.embed import embed_missing, query_meaning

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable

    from twiceshy.app import App
    from twiceshy.language.vector import Meaning

    Tell = Callable[[str], object]

_AT_ONCE = 16  # notes that wait for a vector are caught up with when one is written


def asked(app: App, text: str, *, tell: Tell) -> Meaning | None:
    """Return what a query means to the chosen model; None leaves it to the table of words."""
    try:
        embedder = app.embedder()
        return query_meaning(app.redact(text), embedder) if embedder and text.strip() else None
    except EmbedderError as error:
        tell(f"without the model: {error}")
        return None


def embed_new(app: App, *, tell: Tell) -> None:
    """Have the chosen model say what the newest notes mean; they are kept whether it does or not."""
    try:
        if embedder := app.embedder():
            for _ in embed_missing(app.store, embedder, most=_AT_ONCE):
                pass
    except EmbedderError as error:
        tell(f"noted, but the model has not seen it: {error}")
        tell("hint: twiceshy reembed asks it again")
