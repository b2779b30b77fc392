"""Embed queries and notes with the chosen model, in batches; without a model, nothing."""

from __future__ import annotations

from twiceshy.core.errors import EmbedderError
from twiceshy.language.vector import NoteMeaning, QueryVector

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.store import Store
    from twiceshy.models.embedder import Embedder

    Tell = Callable[[str], object]

# A real model is worth as much as the words on short notes; on long ones it is worth less.
SHARE = 0.5
_BATCH = 32
_AT_ONCE = 16  # notes that wait for a vector are caught up with when one is written


def embed_missing(store: Store, embedder: Embedder, *, most: int = 1 << 30) -> Iterator[str]:
    """Embed notes without a vector of this model; yield ids for progress."""
    while most > 0:
        notes = store.list_unembedded_notes(embedder.identity, limit=min(_BATCH, most))
        if not notes:
            return
        store.save_records(*_embed_batch(notes, embedder))
        most -= len(notes)
        yield from (note.id for note in notes)


def query_meaning(text: str, embedder: Embedder) -> QueryVector | None:
    """Return the vector of a query; None if meaningless."""
    (vector,) = embedder.embed([text])
    return QueryVector(embedder.identity, vector, SHARE) if vector else None


def _embed_batch(notes: list[Note], embedder: Embedder) -> list[NoteMeaning]:
    asked = [(note.id, "text", note.text) for note in notes]
    asked += [(note.id, "why", note.why) for note in notes if note.why]
    vectors = embedder.embed([text for _, _, text in asked])
    # what means nothing is kept as such, or it would be asked about for ever
    return [
        NoteMeaning(note_id, field, QueryVector(embedder.identity, vector))
        for (note_id, field, _), vector in zip(asked, vectors, strict=True)
    ]


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
