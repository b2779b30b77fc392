"""Find duplicate and near-duplicate notes without comparing every pair."""

from __future__ import annotations

from twiceshy.core.text import normalise
from twiceshy.language.near_duplicates import find_near_duplicates
from twiceshy.language.similar import THRESHOLD
from twiceshy.project.audit.finding import found

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twiceshy.core.note import Note
    from twiceshy.language.near_duplicates import Pair
    from twiceshy.project.audit.facts import Facts
    from twiceshy.project.audit.finding import Finding

# A task may be set twice and a page is known by its name; an episode is no note at all.
_OWN_WORDS = ("lesson", "decision", "pattern", "issue", "rule", "preference")


def said_twice(facts: Facts) -> Iterator[Finding]:
    """Find notes with the same text in different kinds or scopes."""
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
    """Report near-duplicate notes of the same skill and kind."""
    for one, other, share in facts.near:
        yield found(
            *("note-near", "memory", f"{one.handle}, {other.handle}"),
            percent=round(share * 100),
            text=one.text,
            older=one.handle,
            newer=other.handle,
        )


def near_pairs(notes: Iterable[Note]) -> list[Pair]:
    """Return pairs of near-duplicate but different notes, older note first."""
    pairs = find_near_duplicates(
        (note for note in notes if note.kind in _OWN_WORDS),
        threshold=THRESHOLD,
        group_by=lambda note: (note.scope.skill, note.kind),
    )
    return [pair for pair in pairs if normalise(pair[0].text) != normalise(pair[1].text)]


def _same(notes: Iterable[Note]) -> list[list[Note]]:
    groups: dict[tuple[str, str], list[Note]] = {}
    for note in notes:
        if note.kind in _OWN_WORDS:
            groups.setdefault((note.scope.skill, normalise(note.text)), []).append(note)
    return [sorted(group, key=lambda note: note.id) for group in groups.values() if len(group) > 1]
