"""Scope and intent in, the right few notes out: by words first, then by recency and sightings."""

from __future__ import annotations

from twiceshy.core.brief import Budget, render
from twiceshy.core.decay import expired
from twiceshy.core.filter import Filter
from twiceshy.core.rank import Weights, rank
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.terms import query_terms
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from twiceshy.core.brief import Brief, Mode
    from twiceshy.core.ports import Store
    from twiceshy.core.rank import Ranked
    from twiceshy.core.scope import Scope

# Tasks and pages have channels of their own; they are not advice.
ADVICE = ("lesson", "decision", "pattern", "issue", "rule", "preference")
_MOST = 24  # more than the largest brief holds
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
    store: Store,
    scope: Scope,
    intent: str,
    *,
    budget: Budget,
    weights: Weights | None = None,
    version: str = "",
    told: Collection[str] = (),
) -> Recalled:
    """Rank what is visible by the intent; what the words leave of the budget goes to the newest.

    Global principles ride along with a skill; those that were ``told`` before count as if they did
    so again. ``version`` is that of the skill's folder.
    """
    which, now = visible(store, scope), store.now()
    query = query_terms(intent)
    ranked: list[Ranked] = []
    if query:
        ranked = _by_words(store, query, which, weights, limit=_MOST)
    mode: Mode = "fts5-fallback" if ranked else "flat" if query else "no-intent"
    known = {one.note.id for one in ranked}
    rest = [note for note in store.notes(which, limit=_MOST) if note.id not in known]
    everyone = _current([*ranked, *rank(rest, {}, now=now, weights=weights)], now=now)
    everyone.sort(key=lambda one: not one.note.pinned)  # stable: pinned first, else as ranked
    principles: list[Ranked] = []
    if scope.skill and budget.principles:
        principles = _principles(store, query, weights)
        fresh = [one for one in principles if one.note.id not in told]
        left = budget.principles - (len(principles) - len(fresh))
        principles, budget = fresh, budget.but(principles=max(0, left))
    brief = render(
        [one.note for one in everyone],
        skill=scope.skill,
        mode=mode,
        budget=budget,
        principles=[one.note for one in principles],
        version=version,
    )
    return Recalled(brief, (*everyone, *principles))


def search(store: Store, query: str, which: Filter, *, limit: int) -> list[Ranked]:
    """Return the notes that hold the words, best first; without words, the newest."""
    terms = query_terms(query)
    if not terms:
        return rank(store.notes(which, limit=limit), {}, now=store.now())
    return _by_words(store, terms, which, _BY_WORDS, limit=limit)


def _principles(store: Store, query: Sequence[str], weights: Weights | None) -> list[Ranked]:
    """Rank what was learned for all skills and projects; the words only decide the order."""
    which = Filter(
        projects=(EVERYWHERE,), skill="", kinds=("lesson",), subtype="principle", lives=("active",)
    )
    notes = store.notes(which, limit=_MOST)
    fits: Mapping[str, float] = {}
    if notes and query:
        fits = store.matching(query, which, limit=_MOST).relevance
    return _current(rank(notes, fits, now=store.now(), weights=weights), now=store.now())


def _current(ranked: list[Ranked], *, now: int) -> list[Ranked]:
    past = {gone.note.id for gone in expired((one.note for one in ranked), now=now)}
    return [one for one in ranked if one.note.id not in past]


def _by_words(
    store: Store, query: Sequence[str], which: Filter, weights: Weights | None, *, limit: int
) -> list[Ranked]:
    found = store.matching(query, which, limit=limit)
    return rank(found.notes, found.relevance, now=store.now(), weights=weights)
