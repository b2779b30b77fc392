"""Notes that say the same, or nearly so; every pair that is near is found without comparing all."""

from __future__ import annotations

from twiceshy.core.text import normalise
from twiceshy.language.similar import THRESHOLD, firm_words, overlap, rarest_needed, words_of
from twiceshy.language.supersede import opposite
from twiceshy.project.audit.finding import found

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twiceshy.core.note import Note
    from twiceshy.project.audit.facts import Facts
    from twiceshy.project.audit.finding import Finding

    Pair = tuple[Note, Note, float]
    Worded = tuple[Note, frozenset[str]]
    Key = tuple[str, str, frozenset[str]]

# A task may be set twice and a page is known by its name; an episode is no note at all.
_OWN_WORDS = ("lesson", "decision", "pattern", "issue", "rule", "preference")
_MOST_ALIKE = (
    50  # notes that share a rare word; a word that more share is not rare, but boilerplate
)


def said_twice(facts: Facts) -> Iterator[Finding]:
    """Find notes that say the very same: as another kind, or here and everywhere."""
    for same in _same(facts.notes):
        handles = ", ".join(note.handle for note in same)
        first, *others = same
        yield found(
            *("note-twice", "memory", handles),
            count=len(same),
            text=first.text,
            retire=" ".join(note.handle for note in others),
        )


def nearly_said_twice(facts: Facts) -> Iterator[Finding]:
    """Find notes that say nearly the same of one skill, as one kind."""
    for one, other, share in facts.near:
        yield found(
            *("note-near", "memory", f"{one.handle}, {other.handle}"),
            percent=round(share * 100),
            text=one.text,
            older=one.handle,
            newer=other.handle,
        )


def near_pairs(notes: Iterable[Note]) -> list[Pair]:
    """Return the pairs that are near but not the same, the older note first."""
    pairs: list[Pair] = []
    for group in _groups(notes).values():
        pairs += _near(group)
    return sorted(pairs, key=lambda pair: (pair[0].id, pair[1].id))


def _same(notes: Iterable[Note]) -> list[list[Note]]:
    groups: dict[tuple[str, str], list[Note]] = {}
    for note in notes:
        if note.kind in _OWN_WORDS:
            groups.setdefault((note.scope.skill, normalise(note.text)), []).append(note)
    return [sorted(group, key=lambda note: note.id) for group in groups.values() if len(group) > 1]


def _groups(notes: Iterable[Note]) -> dict[Key, list[Worded]]:
    """Return the notes that can be near at all: of one skill and kind, with the same firm words."""
    groups: dict[Key, list[Worded]] = {}
    for note in sorted(notes, key=lambda note: note.id):
        if note.kind in _OWN_WORDS:
            words = words_of(note.text)
            key = (note.scope.skill, note.kind, frozenset(firm_words(words)))
            groups.setdefault(key, []).append((note, words))
    return groups


def _near(group: list[Worded]) -> Iterator[Pair]:
    """Yield near pairs of a group: they must share one of each note's rarest words."""
    common: dict[str, int] = {}
    for _, words in group:
        for word in words:
            common[word] = common.get(word, 0) + 1
    holders: dict[str, list[Worded]] = {}
    for note, words in group:
        rarest = sorted(words, key=lambda word: (common[word], word))
        met: dict[str, Worded] = {}
        for word in rarest[: rarest_needed(len(words), threshold=THRESHOLD)]:
            before = holders.setdefault(word, [])
            met.update((other[0].id, other) for other in before[-_MOST_ALIKE:])
            before.append((note, words))
        yield from _alike(note, words, met.values())


def _alike(note: Note, words: frozenset[str], met: Iterable[Worded]) -> Iterator[Pair]:
    for other, theirs in met:
        share = len(words & theirs) / len(words | theirs)
        if share < THRESHOLD:
            continue  # most are dismissed by counting alone
        if overlap(words, theirs) and not _no_rewording(note.text, other.text):
            yield other, note, share


def _no_rewording(one: str, other: str) -> bool:
    """Tell whether two texts of the same words are the same note, or the opposite of each other."""
    return opposite(one, other) or normalise(one) == normalise(other)
