"""Embed notes without a vector of the chosen model, in batches."""

from __future__ import annotations

from twiceshy.language.vector import NoteMeaning, QueryVector

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.note import Note
    from twiceshy.core.store import Store
    from twiceshy.models.embedder import Embedder

# A real model is worth as much as the words on short notes; on long ones it is worth less.
SHARE = 0.5
_BATCH = 32


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
