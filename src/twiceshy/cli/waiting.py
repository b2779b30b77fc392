"""Notes of the older systems that lie in their own places: told of, and read there until they are imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.filter import Filter
from twiceshy.core.ports import Finding
from twiceshy.core.retention import ARCHIVE, SAVED
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeVar

    from twiceshy.app import App
    from twiceshy.cli.importing import Found

    T = TypeVar("T")

_SEEDS = ("fireworks", "memory-keeper", "memory-engine", "magic-context")
_IMPORTED = "import:"  # how what an import leaves begins: then the source, then what it was
_EPISODES = (*SAVED, ARCHIVE, "note", "handoff", "diary", "reflect")
_MANY = 100_000


def read_in_place(app: App, ask: Callable[[], T]) -> tuple[T, str]:
    """Answer with what older systems left, as far as it was not imported; say so in a line."""
    from twiceshy.cli.importing import as_if_imported  # most commands need none of it

    there = _waiting(app)
    if not there or app.store.read_only:
        return ask(), ""
    return as_if_imported(app, there, ask), _said(there)


def waiting_finding(app: App) -> Finding:
    """Return what an examination says about it."""
    there = _waiting(app)
    said = _said(there) if there else "no older system left notes that were not read in"
    return Finding("import", "ok", said)


def _said(there: Sequence[Found]) -> str:
    names = ", ".join(each.source.NAME for each in there)
    return worded(
        "not imported yet, read where they are: notes of {sources}; see: twiceshy import",
        sources=names,
    )


def _waiting(app: App) -> list[Found]:
    from twiceshy.cli import importing  # most commands need none of it

    there = [
        each
        for each in importing.found(importing.around(app), only=_SEEDS)
        if not all(place.problem for place in each.places)
    ]
    known = set(_brought(app)) if there else set()
    return [each for each in there if each.source.NAME not in known]


def _brought(app: App) -> Iterator[str]:
    """Yield the sources of which something was imported."""
    for note in app.store.notes(Filter(lives=()), limit=_MANY):
        signals = app.store.evidence(note.id) if note.source == "import" else ()
        yield from (_source(signal) for signal, *_ in signals)
    for episode in app.store.stretches(_EPISODES):
        yield _source(episode.session)


def _source(name: str) -> str:
    """Return the source that left something under a name; nothing if none did."""
    return name.split(":")[1] if name.startswith(_IMPORTED) else ""
