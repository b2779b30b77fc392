"""Rank notes by relevance, recency and sightings."""

from __future__ import annotations

from math import log, log2

from twiceshy.core.filter import SHARE, QueryFit
from twiceshy.core.moment import HALF_LIFE_DAYS, compute_recency
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from typing import Literal, TypeVar

    from twiceshy.config.quick import QuickConfig
    from twiceshy.config.resolved import Config
    from twiceshy.core.note import Note

    Grade = Literal["good", "weak", "none"]
    K = TypeVar("K")

    # for each part of a note (text, why, tag, concepts, files) its index terms
    FieldTerms = Sequence[Sequence[str]]
    # how often a note has each term of a query, weighed by part, and its length in terms
    TermCounts = tuple[Mapping[str, float], int]

# BM25's usual constants; a tag or a concept that matches says more than a word in a sentence.
K1, B = 1.2, 0.75
_FEWEST = 100
PART_WEIGHTS = (1.0, 0.8, 1.5, 1.5, 1.0)
# Below this a note is about something else: tuned on prompts that no lesson covers.
_FLOOR = 2.3
_WHOLE = 0.999  # of a question, by the weights of its words
_CHANCE = 0.08  # for twice as many passages: tuned on such prompts inside real text
# Scores this close are as good as equal; then the newer of two notes about one thing comes first.
_CLOSE = 0.02


class RankWeights(Value):
    """Weights of relevance, recency and sightings; only proportions matter."""

    relevance: float = 0.6
    recency: float = 0.25
    sightings: float = 0.15
    half_life_days: float = HALF_LIFE_DAYS


class CollectionStats(Value):
    """Statistics of a note collection for term weights: number and length."""

    notes: int
    mean_length: float
    holding: Mapping[str, int]  # term → how many notes have it


class RankedNote(Value):
    """A note with its score, the parts of the score, and its fit; for ``why``."""

    note: Note
    score: float
    relevance: float
    recency: float
    sightings: float
    fit: QueryFit = QueryFit()


def bm25_scorer(
    query: Iterable[str], collection: CollectionStats
) -> Callable[[TermCounts], tuple[float, float]]:
    """Return a function that scores a query's terms in a note, and their coverage.

    Rare terms count more, repeated terms less and less, and long notes must say more. A term
    absent from every note would count 1, once, in a note of average length: scores are
    comparable between stores.
    """
    rarity = weigh_terms(query, collection)
    weigh = term_weigher(rarity, collection)
    everything = sum(rarity.values()) or 1.0

    def score(counted: TermCounts) -> tuple[float, float]:
        weights = weigh(counted)
        covered = sum([rarity[term] for term in weights])
        return sum(weights.values()), covered / everything

    return score


def weigh_terms(query: Iterable[str], collection: CollectionStats) -> dict[str, float]:
    """Return the rarity of each term of a query."""
    return {term: _inverse_frequency(term, collection) for term in query}


def term_weigher(
    rarity: Mapping[str, float], collection: CollectionStats
) -> Callable[[TermCounts], dict[str, float]]:
    """Return a function that weighs each query term that a note has."""
    rarest = _inverse_frequency("", collection.but(holding={}))
    slope = K1 * B / (collection.mean_length or 1)

    def weigh(counted: TermCounts) -> dict[str, float]:
        counts, length = counted
        norm = K1 * (1 - B) + slope * length
        return {
            term: (K1 + 1) * rarity[term] * count / (count + norm) / rarest
            for term, count in counts.items()
        }

    return weigh


def count_terms(parts: FieldTerms, wanted: Collection[str]) -> TermCounts:
    """Count the terms of a query in the parts of a note."""
    held = {term for part in parts for term in part}.intersection(wanted)
    filled = [pair for pair in zip(PART_WEIGHTS, parts, strict=False) if pair[1]]
    counts = {
        # in the order of the query, so that equal notes have equal sums
        term: sum([weight * part.count(term) for weight, part in filled])
        for term in wanted
        if term in held
    }
    return counts, sum([len(part) for part in parts])


def blend_relevance(fits: Mapping[K, QueryFit], *, share: float = SHARE) -> dict[K, float]:
    """Blend word and meaning scores to a relevance between 0 and 1 for each note.

    A cascade, and ranks instead of scores, both lose to words alone where the model is weak.
    """
    weights = {
        key: fit.words * fit.covered**fit.emphasis + fit.beside for key, fit in fits.items()
    }
    words = max(weights.values(), default=0.0)
    meaning = max([fit.meaning for fit in fits.values()], default=0.0)
    share = (share if words > 0 else 1.0) if meaning > 0 else 0.0
    return {
        key: (1 - share) * weights[key] / (words or 1.0)
        + share * max(0.0, fit.meaning) / (meaning or 1.0)
        for key, fit in fits.items()
    }


def is_worth_telling(fit: QueryFit) -> bool:
    """True if a note fits well enough to be told unasked.

    The more passages a prompt has, the better one of them fits some note by chance.
    """
    floor = _FLOOR + _CHANCE * log2(max(1, fit.passages))
    return fit.words + fit.covered + max(0.0, fit.meaning) >= floor


def grade_fit(fit: QueryFit) -> Grade:
    """Grade how well a note answers who asked; one with every word of a short question fits."""
    whole = fit.passages == 1 and fit.covered >= _WHOLE
    if whole or is_worth_telling(fit):
        return "good"
    return "weak" if fit.words > 0 or fit.meaning > 0 else "none"


def describe_collection(notes: Iterable[FieldTerms], query: Iterable[str]) -> CollectionStats:
    """Describe a collection small enough to count."""
    everything, wanted = list(notes), frozenset(query)
    holding = dict.fromkeys(wanted, 0)
    for parts in everything:
        for term in {term for part in parts for term in wanted.intersection(part)}:
            holding[term] += 1
    words = sum([len(part) for parts in everything for part in parts])
    return CollectionStats(len(everything), words / max(1, len(everything)), holding)


def rank_weights_of(config: Config | QuickConfig) -> RankWeights:
    """Return the rank weights of the user's settings."""
    return RankWeights(
        relevance=config.number("rank.relevance"),
        recency=config.number("rank.recency"),
        sightings=config.number("rank.sightings"),
        half_life_days=config.number("rank.half_life_days"),
    )


def rank_notes(
    notes: Iterable[Note],
    fits: Mapping[str, QueryFit],
    *,
    now: int,
    weights: RankWeights | None = None,
    share: float = SHARE,
) -> list[RankedNote]:
    """Rank notes best first; without a fit, by recency and sightings; ties by older id."""
    weights = weights or RankWeights()
    notes = list(notes)
    known = {note.id: fits[note.id] for note in notes if note.id in fits}
    relevance = blend_relevance(known, share=share)
    most_seen = max((note.sightings for note in notes), default=0) or 1
    total = (weights.relevance + weights.recency + weights.sightings) or 1.0

    def scored(note: Note) -> RankedNote:
        parts = (
            relevance.get(note.id, 0.0),
            compute_recency(note.learned_at, now=now, half_life_days=weights.half_life_days),
            note.sightings / most_seen,
        )
        shares = (weights.relevance, weights.recency, weights.sightings)
        score = sum(share * part for share, part in zip(shares, parts, strict=True)) / total
        return RankedNote(note, score, *parts, fit=fits.get(note.id) or QueryFit())

    found = sorted(map(scored, notes), key=lambda r: (not r.note.pinned, -r.score, r.note.id))
    return put_replacing_first(_put_newer_first(found), swapped=not known)


def _put_newer_first(ranked: list[RankedNote]) -> list[RankedNote]:
    """Put the newer of near-equal notes first, and a successor before its predecessor."""
    subjects = [(one.note.tag, one.note.kind) if one.note.tag else None for one in ranked]
    sort_close_runs(ranked, subjects, lambda one: (-one.note.learned_at, one.note.id))
    for old in [one for one in ranked if one.note.superseded_by]:
        new = next((one for one in ranked if one.note.id == old.note.superseded_by), None)
        if new and ranked.index(new) > ranked.index(old):
            ranked.remove(new)
            ranked.insert(ranked.index(old), new)
    return ranked


def put_replacing_first(ranked: list[RankedNote], *, swapped: bool) -> list[RankedNote]:
    """Put the notes that may replace another one right before it.

    The words of a question decide between two notes that exchange two things: without ``swapped``
    these stay as they are.
    """
    if not any(one.note.replaced_id for one in ranked):
        return ranked
    from twiceshy.language.word_order import is_swapped  # noqa: PLC0415 - few notes may replace another

    by_id = {one.note.id: one for one in ranked}
    newer: dict[str, list[RankedNote]] = {}
    for one in ranked:
        older = by_id.get(one.note.replaced_id)
        if older and (swapped or not is_swapped(one.note.text, older.note.text)):
            newer.setdefault(older.note.id, []).append(one)
    placed: dict[str, RankedNote] = {}
    waiting = ranked[::-1]
    while waiting:
        one = waiting.pop()
        before = [other for other in newer.pop(one.note.id, ()) if other.note.id not in placed]
        if before:
            waiting += [one, *reversed(before)]
        else:
            placed.setdefault(one.note.id, one)
    return list(placed.values())


def sort_close_runs(
    ranked: list[RankedNote],
    groups: Sequence[tuple[object, ...] | None],
    order: Callable[[RankedNote], tuple[object, ...]],
    *,
    close: float = _CLOSE,
) -> None:
    """Sort notes of one group and nearly equal scores among the places that they have."""
    runs: dict[tuple[object, ...], list[list[int]]] = {}
    for at, (one, group) in enumerate(zip(ranked, groups, strict=True)):
        if group is not None:
            found = runs.setdefault((*group, one.note.pinned), [])
            if found and ranked[found[-1][0]].score - one.score <= close:
                found[-1].append(at)
            else:
                found.append([at])
    for run in (run for found in runs.values() for run in found if len(run) > 1):
        for at, one in zip(run, sorted((ranked[at] for at in run), key=order), strict=True):
            ranked[at] = one


def _inverse_frequency(term: str, collection: CollectionStats) -> float:
    """Return the inverse document frequency, never below zero."""
    # what every one of three notes has may still be a rare word
    notes = max(collection.notes, _FEWEST)
    having = min(collection.holding.get(term, 0), notes)
    return log(1 + (notes - having + 0.5) / (having + 0.5))
