"""Scope and intent in, the right few notes out: by words first, then by recency and sightings."""

from __future__ import annotations

from twiceshy.core.brief import Budget, render
from twiceshy.core.decay import expired
from twiceshy.core.ports import Filter
from twiceshy.core.rank import Weights, rank
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.terms import query_terms
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.brief import Brief, Mode
    from twiceshy.core.ports import Store
    from twiceshy.core.rank import Ranked
    from twiceshy.core.scope import Scope

# Tasks and pages have channels of their own; they are not advice.
ADVICE = ("lesson", "decision", "pattern", "issue", "rule", "preference")
_MOST = 50
# Someone who searches means the words; age and sightings only break ties.
_BY_WORDS = Weights(relevance=0.9, recency=0.07, sightings=0.03)


class Recalled(Value):
    """The brief, and every note that was considered for it, best first."""

    brief: Brief
    ranked: tuple[Ranked, ...]


def visible(store: Store, scope: Scope) -> Filter:
    """Return the filter for what work in ``scope`` may be shown: its project's notes and global ones."""
    projects = (*store.same_project(scope.project), EVERYWHERE)
    return Filter(
        projects=tuple(dict.fromkeys(projects)), skill=scope.skill, kinds=ADVICE, lives=("active",)
    )


def recall(
    store: Store, scope: Scope, intent: str, *, budget: Budget, weights: Weights | None = None
) -> Recalled:
    """Rank what is visible by the intent; what the words leave of the budget goes to the newest."""
    which, now = visible(store, scope), store.now()
    query = query_terms(intent)
    ranked: list[Ranked] = []
    if query:
        ranked = _by_words(store, query, which, weights, limit=_MOST)
    mode: Mode = "fts5-fallback" if ranked else "flat" if query else "no-intent"
    known = {one.note.id for one in ranked}
    rest = [note for note in store.notes(which, limit=_MOST) if note.id not in known]
    everyone = [*ranked, *rank(rest, {}, now=now, weights=weights)]
    past = {gone.note.id for gone in expired((one.note for one in everyone), now=now)}
    everyone = [one for one in everyone if one.note.id not in past]
    everyone.sort(key=lambda one: not one.note.pinned)  # stable: pinned first, else as ranked
    brief = render([one.note for one in everyone], skill=scope.skill, mode=mode, budget=budget)
    return Recalled(brief, tuple(everyone))


def search(store: Store, query: str, which: Filter, *, limit: int) -> list[Ranked]:
    """Return the notes that hold the words, best first; without words, the newest."""
    terms = query_terms(query)
    if not terms:
        return rank(store.notes(which, limit=limit), {}, now=store.now())
    return _by_words(store, terms, which, _BY_WORDS, limit=limit)


def _by_words(
    store: Store, query: Sequence[str], which: Filter, weights: Weights | None, *, limit: int
) -> list[Ranked]:
    found = store.matching(query, which, limit=limit)
    return rank(found.notes, found.relevance, now=store.now(), weights=weights)
