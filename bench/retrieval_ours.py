"""The product itself, as it is used: a store on disk with the documents as notes, asked by recall."""

from __future__ import annotations

import os
import time
from collections import Counter
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from bench.retrieval_baselines import BASELINES, rrf60
from bench.retrieval_metrics import DEPTH
from tests.store.support import app_of

from twiceshy.core.admit import Admitted, Superseding
from twiceshy.core.draft import MAX_PAGE, Draft
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import parse_day
from twiceshy.core.scope import Scope
from twiceshy.core.text import find_unsafe_character
from twiceshy.notes.write import NoteLimits, write_draft
from twiceshy.recall.brief import BriefBudget
from twiceshy.recall.recall_notes import recall_notes, search_notes
from twiceshy.store import vectors
from twiceshy.store.command_store import WholeStore
from twiceshy.store.connect import COMMAND_PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.retrieval_baselines import Ranker
    from bench.retrieval_sets import Doc

WORDS, OURS = "ours, words alone", "ours"
PROJECT = "dir:0123456789ab"
_BOUNDS = NoteLimits(skill_max=10**9, global_max=10**9, longest=MAX_PAGE)
_BUDGET = BriefBudget()


class Ours:
    """A store that was filled, and the names that its notes have in the set."""

    def __init__(self, store: WholeStore, names: dict[str, str]) -> None:
        self._store = store
        self._names = names

    def find(self, text: str) -> list[str]:
        """Search as a person or an agent does, best first."""
        found = search_notes(self._store, text, NoteFilter(), limit=DEPTH)
        return [self._names[one.note.id] for one in found]

    def find_by_words(self, text: str) -> list[str]:
        """Search without the word table."""
        shipped = vectors.shipped
        vectors.shipped = vectors.Lexicon("")
        try:
            return self.find(text)
        finally:
            vectors.shipped = shipped

    def tell(self, text: str) -> list[str]:
        """Return what an agent is told when it has this intent; nothing is an answer, too."""
        told = recall_notes(self._store, Scope(PROJECT), text, budget=_BUDGET).brief.notes
        return [self._names[note.id] for note in told]


@contextmanager
def ours(docs: Sequence[Doc], folder: str) -> Iterator[Ours]:
    """Write the documents as notes into a new store, and open it for searching."""
    path = os.path.join(folder, "twiceshy.db")
    # what a benchmark loses in a power cut it may lose
    patience = COMMAND_PATIENCE.but(synchronous="OFF")
    with closing(WholeStore(path, clock=_now, patience=patience)) as store:
        yield Ours(store, _filled(store, docs))


def rankers(docs: Sequence[Doc], product: Ours) -> Iterator[tuple[str, Ranker]]:
    """Yield the baselines by name, each made when it is its turn, and then ours."""
    for name, made in BASELINES.items():
        if made is not rrf60 or vectors.shipped.identity:
            yield name, made(docs)  # without the table there is nothing to fuse
    yield WORDS, product.find_by_words
    yield OURS, product.find


def _filled(store: WholeStore, docs: Sequence[Doc]) -> dict[str, str]:
    notes: dict[str, str] = {}
    copies: Counter[str] = Counter()
    with store.change():
        for doc in docs:
            draft = _draft(doc, notes)
            # the same text twice is one note here, but two documents in some sets
            copies[draft.fingerprint] += 1
            if (copy := copies[draft.fingerprint]) > 1:
                draft = draft.but(scope=Scope(f"{PROJECT}-{copy}"))
            outcome = write_draft(app_of(store), draft, bounds=_BOUNDS, keep_apart=True)
            assert isinstance(outcome, Admitted | Superseding), outcome
            notes[doc.id] = outcome.note.id
    return {note: name for name, note in notes.items()}


def _draft(doc: Doc, notes: dict[str, str]) -> Draft:
    return Draft(
        "lesson",
        make_safe(" ".join(filter(None, (doc.title, doc.text)))),
        Scope(PROJECT),
        "user",
        why=make_safe(doc.why),
        tag=make_safe(doc.tag),
        supersedes=notes[doc.supersedes] if doc.supersedes else "",
        learned_at=parse_day(doc.day) if doc.day else 0,
    )


def make_safe(text: str) -> str:
    """Take out what no note may hold; the product would refuse it and say why."""
    while unsafe := find_unsafe_character(text.replace("\r\n", "\n")):
        text = text.replace(unsafe, " ")
    return text[:MAX_PAGE]


def _now() -> int:
    return time.time_ns() // 1_000_000
