"""Choose notes for a scope and an intent: by words and meaning, recency and sightings."""

from __future__ import annotations

from twiceshy.core.filter import PRINCIPLES, Found, visible
from twiceshy.core.value import Value
from twiceshy.language.rank import Weights, rank, worth_telling
from twiceshy.recall.brief import Budget, render

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from twiceshy.core.filter import Filter, Fit
    from twiceshy.core.note import Note
    from twiceshy.core.scope import Scope
    from twiceshy.core.store import HookStore
    from twiceshy.language.rank import Ranked
    from twiceshy.language.vector import Meaning
    from twiceshy.recall.brief import Brief, Mode

    Key = Callable[[], bytes]  # asked for only where there is a rule

_LEAST = 12  # of notes that are looked at because they fit
# Of those that are there, all that a skill keeps: behind the newest may be what was seen most often.
_MOST = 100
# Someone who searches means the words; age and sightings only break ties.
_BY_WORDS = Weights(relevance=0.9, recency=0.07, sightings=0.03)
_NOTHING = Found((), {})


class Recalled(Value):
    """A brief, with every considered note, best first."""

    brief: Brief
    ranked: tuple[Ranked, ...]


def no_key() -> bytes:
    """Return an empty key, for which no rule is valid."""
    return b""


def no_version() -> str:
    """Return an empty version, for a skill without a folder."""
    return ""


def recall(
    store: HookStore,
    scope: Scope,
    intent: str,
    *,
    budget: Budget,
    key: Key = no_key,
    weights: Weights | None = None,
    version: Callable[[], str] = no_version,
    told: Collection[str] = (),
    meaning: Meaning | None = None,
) -> Recalled:
    """Rank visible notes by intent: words and meaning, then words, then age.

    A skill has few notes about one subject, so notes without a fit fill the rest of the budget,
    or come first by the weights, and global principles are added; notes in ``told`` count again.
    Without a skill only fitting notes are told. ``version`` returns the skill folder's version,
    ``meaning`` is the intent's vector by a better model. Only rules approved with ``key`` are
    told.
    """
    from twiceshy.language.terms import query_terms

    which, now = visible(store, scope), store.now()
    query = query_terms(intent)
    loose = bool(scope.skill) and _loose(weights or Weights())
    found = _NOTHING
    if query:
        most = _MOST if loose else max(_LEAST, 2 * budget.notes)  # some may be too long to fit
        found = store.matching(query, which, limit=most, meaning=meaning)
    ranked = _ranked(found, now=now, weights=weights)
    if not scope.skill:
        ranked = [one for one in ranked if one.note.pinned or worth_telling(one.fit)]
    mode = _mode(ranked, asked=bool(query))
    enough = len(ranked) >= 2 * budget.notes or bool(query and not scope.skill)
    topping = which.but(pinned=True) if enough and not loose else which
    known = {one.note.id for one in ranked}
    rest = [note for note in store.notes(topping, limit=_MOST) if note.id not in known]
    if loose:
        ranked = _ranked(found.but(notes=[*found.notes, *rest]), now=now, weights=weights)
    else:
        ranked += rank(rest, {}, now=now, weights=weights)
    everyone = _tellable(store, ranked, now=now, key=key)
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
        version=version() if any(one.note.skill_hash for one in everyone) else "",
    )
    return Recalled(brief, (*everyone, *principles))


def search(
    store: HookStore, query: str, which: Filter, *, limit: int, meaning: Meaning | None = None
) -> list[Ranked]:
    """Return notes matching the words, best first; without words, the newest."""
    from twiceshy.language.terms import query_terms

    terms = query_terms(query)
    if not terms:
        return rank(store.notes(which, limit=limit), {}, now=store.now())
    found = store.matching(terms, which, limit=limit, meaning=meaning)
    return _ranked(found, now=store.now(), weights=_BY_WORDS)


def rank_tellable(
    store: HookStore, which: Filter, *, key: Key, weights: Weights | None = None, limit: int
) -> list[Note]:
    """Return tellable notes, best first without an intent, pinned first."""
    ranked = rank(store.notes(which, limit=limit), {}, now=store.now(), weights=weights)
    return [one.note for one in _tellable(store, ranked, now=store.now(), key=key)]


def _tellable(store: HookStore, ranked: list[Ranked], *, now: int, key: Key) -> list[Ranked]:
    """Drop expired notes and unapproved rules; put pinned notes first."""
    found = _current(ranked, now=now)
    if any(one.note.kind == "rule" for one in found):
        from twiceshy.recall.rules import approved

        found = approved(store, found, key)
    return sorted(found, key=lambda one: not one.note.pinned)  # stable: else as ranked


def _mode(ranked: Sequence[Ranked], *, asked: bool) -> Mode:
    """Return the search mode of the brief: the best used."""
    if any(one.fit.meaning > 0 for one in ranked):
        return "full"
    if any(one.fit.words > 0 for one in ranked):
        return "fts5-fallback"
    return "flat" if asked else "no-intent"


def _principles(store: HookStore, query: Sequence[str], weights: Weights | None) -> list[Ranked]:
    """Rank global principles; words only decide the order."""
    notes = store.notes(PRINCIPLES, limit=_MOST)
    fits: Mapping[str, Fit] = {}
    if notes and query:
        fits = store.matching(query, PRINCIPLES, limit=_MOST).fits
    return _current(rank(notes, fits, now=store.now(), weights=weights), now=store.now())


def _current(ranked: list[Ranked], *, now: int) -> list[Ranked]:
    return [one for one in ranked if not one.note.is_expired(now)]


def _loose(weights: Weights) -> bool:
    """True if recency and sightings outweigh relevance."""
    return weights.recency + weights.sightings > weights.relevance


def _ranked(found: Found, *, now: int, weights: Weights | None) -> list[Ranked]:
    return rank(found.notes, found.fits, now=now, weights=weights, share=found.share)
