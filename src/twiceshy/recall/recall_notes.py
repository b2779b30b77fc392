"""Choose notes for a scope and an intent: by words and meaning, recency and sightings."""

from __future__ import annotations

from twiceshy.core.filter import PRINCIPLES, SearchHits, filter_visible_notes
from twiceshy.language.rank import (
    RankWeights,
    is_worth_telling,
    put_replacing_first,
    rank_notes,
)
from twiceshy.recall.brief import BriefBudget, RecallResult, no_key, render_brief

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from twiceshy.core.filter import NoteFilter, QueryFit
    from twiceshy.core.note import Note
    from twiceshy.core.scope import Scope
    from twiceshy.core.store import HookStore
    from twiceshy.language.rank import RankedNote
    from twiceshy.language.vector import QueryVector
    from twiceshy.recall.brief import Key, Mode

_LEAST = 12  # of notes that are looked at because they fit
# Of those that are there, all that a skill keeps: behind the newest may be what was seen most often.
_MOST = 100
# Someone who searches means the words; age and sightings only break ties.
_BY_WORDS = RankWeights(relevance=0.9, recency=0.07, sightings=0.03)
_NOTHING = SearchHits((), {})
_SHORT = 400  # characters; most questions with fewer have only one passage


def no_version() -> str:
    """Return an empty version, for a skill without a folder."""
    return ""


def recall_notes(
    store: HookStore,
    scope: Scope,
    intent: str,
    *,
    budget: BriefBudget,
    key: Key = no_key,
    weights: RankWeights | None = None,
    version: Callable[[], str] = no_version,
    told: Collection[str] = (),
    without: Collection[str] = (),
    meaning: QueryVector | None = None,
    is_welcome: Callable[[Note], bool] = lambda _: True,
) -> RecallResult:
    """Rank visible notes by intent: words and meaning, then words, then age.

    A skill has few notes about one subject, so notes without a fit fill the rest of the budget,
    or come first by the weights, and global principles are added; notes in ``told`` count again,
    notes in ``without``, and those that are not welcome, are left out.
    Without a skill only fitting notes are told. ``version`` returns the skill folder's version,
    ``meaning`` is the intent's vector by a better model. Only rules approved with ``key`` are
    told.
    """
    which, now = filter_visible_notes(store, scope), store.now()
    query, passages = split_query(intent)
    loose = bool(scope.skill) and _prefers_recent(weights or RankWeights())
    found = _NOTHING
    if query:
        most = _MOST if loose else max(_LEAST, 2 * budget.notes)  # some may be too long to fit
        found = store.search_notes(query, which, limit=most, meaning=meaning, passages=passages)
    ranked = _rank_by_words(intent, found, now=now, weights=weights)
    hits = tuple(ranked)
    if not scope.skill:
        ranked = _choose_fitting(ranked)
    mode = search_mode(ranked, asked=bool(query))
    enough = len(ranked) >= 2 * budget.notes or bool(query and not scope.skill)
    topping = which.but(pinned=True) if enough and not loose else which
    known = {one.note.id for one in ranked}
    rest = [note for note in store.notes(topping, limit=_MOST) if note.id not in known]
    if loose:
        found = found.but(notes=[*found.notes, *rest])
        ranked = _rank_by_words(intent, found, now=now, weights=weights)
    else:
        ranked += rank_notes(rest, {}, now=now, weights=weights)
    everyone = filter_tellable(store, ranked, now=now, key=key)
    everyone = [one for one in everyone if one.note.id not in without and is_welcome(one.note)]
    principles: list[RankedNote] = []
    if scope.skill and budget.principles:
        principles = _rank_principles(store, query, weights, passages)
        principles = [one for one in principles if is_welcome(one.note)]
        fresh = [one for one in principles if one.note.id not in told]
        left = budget.principles - (len(principles) - len(fresh))
        principles, budget = fresh, budget.but(principles=max(0, left))
    brief = render_brief(
        [one.note for one in everyone],
        skill=scope.skill,
        mode=mode,
        budget=budget,
        principles=[one.note for one in principles],
        version=version() if any(one.note.skill_hash for one in everyone) else "",
    )
    return RecallResult(brief, (*everyone, *principles), hits, is_by_words=not loose)


def search_notes(
    store: HookStore,
    query: str,
    which: NoteFilter,
    *,
    limit: int,
    meaning: QueryVector | None = None,
) -> list[RankedNote]:
    """Return notes matching the words, best first; without words, the newest."""
    terms, passages = split_query(query)
    if not terms:
        return rank_notes(store.notes(which, limit=limit), {}, now=store.now())
    found = store.search_notes(terms, which, limit=limit, meaning=meaning, passages=passages)
    return _rank_by_words(query, found, now=store.now(), weights=_BY_WORDS)


def split_query(text: str) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the distinct terms of a question, and the passages of a long one."""
    if len(text) <= _SHORT:
        from twiceshy.language.terms import MAX_PASSAGE, query_terms

        if len(terms := query_terms(text)) <= MAX_PASSAGE:
            return terms, ()
    from twiceshy.language.passages import split_passages

    passages = split_passages(text)
    return tuple(dict.fromkeys(term for passage in passages for term in passage)), passages


def rank_tellable(
    store: HookStore,
    which: NoteFilter,
    *,
    key: Key,
    weights: RankWeights | None = None,
    limit: int,
) -> list[Note]:
    """Return tellable notes, best first without an intent, pinned first."""
    ranked = rank_notes(store.notes(which, limit=limit), {}, now=store.now(), weights=weights)
    return [one.note for one in filter_tellable(store, ranked, now=store.now(), key=key)]


def filter_tellable(
    store: HookStore, ranked: list[RankedNote], *, now: int, key: Key
) -> list[RankedNote]:
    """Drop expired notes and unapproved rules; put pinned notes first, and newer ones of a pair."""
    found = _current_notes(ranked, now=now)
    if any(one.note.kind == "rule" for one in found):
        from twiceshy.recall.rules import keep_approved_rules

        found = keep_approved_rules(store, found, key)
    found = sorted(found, key=lambda one: not one.note.pinned)  # stable: else as ranked
    return put_replacing_first(found, swapped=False)


def search_mode(ranked: Sequence[RankedNote], *, asked: bool) -> Mode:
    """Return the search mode of the brief: the best used."""
    if any(one.fit.meaning > 0 for one in ranked):
        return "full"
    if any(one.fit.words > 0 for one in ranked):
        return "fts5-fallback"
    return "flat" if asked else "no-intent"


def _choose_fitting(ranked: Sequence[RankedNote]) -> list[RankedNote]:
    """Return pinned and fitting notes, and a note that may replace one of these."""
    fitting = {one.note.id for one in ranked if one.note.pinned or is_worth_telling(one.fit)}
    return [one for one in ranked if one.note.id in fitting or one.note.replaced_id in fitting]


def _rank_principles(
    store: HookStore,
    query: Sequence[str],
    weights: RankWeights | None,
    passages: Sequence[Sequence[str]],
) -> list[RankedNote]:
    """Rank global principles; words only decide the order."""
    notes = store.notes(PRINCIPLES, limit=_MOST)
    fits: Mapping[str, QueryFit] = {}
    if notes and query:
        fits = store.search_notes(query, PRINCIPLES, limit=_MOST, passages=passages).fits
    return _current_notes(
        rank_notes(notes, fits, now=store.now(), weights=weights), now=store.now()
    )


def _current_notes(ranked: list[RankedNote], *, now: int) -> list[RankedNote]:
    return [one for one in ranked if not one.note.is_expired(now)]


def _prefers_recent(weights: RankWeights) -> bool:
    """True if recency and sightings outweigh relevance."""
    return weights.recency + weights.sightings > weights.relevance


def _rank_by_words(
    question: str, found: SearchHits, *, now: int, weights: RankWeights | None
) -> list[RankedNote]:
    """Rank notes by their fit; of those with the same words, the order of the words decides."""
    ranked = rank_notes(found.notes, found.fits, now=now, weights=weights, share=found.share)
    covered = [one.fit.covered for one in ranked if one.fit.words]
    if len(set(covered)) == len(covered):
        return ranked
    from twiceshy.language.asked_order import put_asked_order_first

    return put_asked_order_first(question, ranked)
