"""Order of a question's words: of notes with the same words, the one that has them in that order is nearer."""

from __future__ import annotations

from itertools import pairwise

from twiceshy.language.rank import sort_close_runs

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from twiceshy.language.rank import RankedNote

# Notes with the same words have scores this close, unless age parts them.
_CLOSE = 0.08
_LIKE = 0.7  # of their words, as two notes share that differ in what goes where
_PERHAPS_LIKE = 0.35  # of what stands between blanks: less is not worth a look at the words
_MOST = 20  # notes that are compared, the best ones
_LONG = 400  # characters; the order of a longer question's words says nothing about one note
_BOUND = 2  # a word after the same connecting word counts twice


def put_asked_order_first(question: str, ranked: list[RankedNote]) -> list[RankedNote]:
    """Put notes that have the words of a question in its order before notes with the same words."""
    if len(question) > _LONG:
        return ranked
    best = ranked[:_MOST]
    groups = _group_alike(best)
    if not any(groups):
        return ranked
    order = {
        one.note.id: -measure_order(question, one.note.text)
        for one, group in zip(best, groups, strict=True)
        if group is not None
    }
    sort_close_runs(best, groups, lambda one: (order[one.note.id],), close=_CLOSE)
    return best + ranked[_MOST:]


def _group_alike(ranked: Sequence[RankedNote]) -> list[tuple[object, ...] | None]:
    """Return a number for notes that cover the same of a question and have nearly the same words."""
    shares = [round(one.fit.covered, 3) if one.fit.words else None for one in ranked]
    groups: list[tuple[object, ...] | None] = [None] * len(ranked)
    for at, other in _list_pairs_alike(shares, [one.note.text for one in ranked]):
        if groups[at] is None:
            groups[other] = groups[at] = groups[other] or (other,)
    return groups


def _list_pairs_alike(
    shares: Sequence[float | None], texts: Sequence[str]
) -> Iterator[tuple[int, int]]:
    """Yield pairs of notes with nearly the same words, the second one before the first."""
    pieces = [frozenset(text.lower().split()) for text in texts]
    for at, share in enumerate(shares):
        for other in range(at):
            if share is None or shares[other] != share:
                continue
            is_ascii = texts[at].isascii() and texts[other].isascii()
            if is_ascii and not _is_alike(pieces[at], pieces[other], _PERHAPS_LIKE):
                continue
            from twiceshy.language.word_order import list_telling_units  # noqa: PLC0415 - few notes are alike

            words = [frozenset(list_telling_units(texts[one])) for one in (at, other)]
            if _is_alike(words[0], words[1], _LIKE):
                yield at, other


def _is_alike(first: frozenset[str], second: frozenset[str], share: float) -> bool:
    return len(first & second) >= share * len(first | second)


def measure_order(question: str, text: str) -> int:
    """Count neighbours of a question that a text has in the same order, less those in the other order."""
    from twiceshy.language.word_order import list_telling_units, read_parts  # noqa: PLC0415 - as above

    asked, units = list_telling_units(question), list_telling_units(text)
    first: dict[str, int] = {}
    for at, unit in enumerate(units):
        first.setdefault(unit, at)
    shared = list(dict.fromkeys(unit for unit in asked if unit in first))
    order = sum(1 if first[one] < first[other] else -1 for one, other in pairwise(shared))
    return order + _BOUND * _count_bound(read_parts(question), read_parts(text))


def _count_bound(asked: Mapping[str, str], found: Mapping[str, str]) -> int:
    """Count words after the same connecting word, less those after another one of the question."""
    wanted = {word: part for word, part in asked.items() if part and word in found}
    parts = set(wanted.values())
    return sum(
        1 if found[word] == part else -1 if found[word] in parts else 0
        for word, part in wanted.items()
    )
