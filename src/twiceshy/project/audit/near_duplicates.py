"""Find duplicate and near-duplicate notes without comparing every pair."""

from __future__ import annotations

from twiceshy.core.text import normalise_text
from twiceshy.language.near_duplicates import find_near_duplicates
from twiceshy.language.similar import THRESHOLD
from twiceshy.project.audit.finding import build_finding

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twiceshy.core.note import Note
    from twiceshy.language.near_duplicates import Pair
    from twiceshy.project.audit.facts import AuditFacts
    from twiceshy.project.audit.finding import AuditFinding

# A task may be set twice and a page is known by its name; an episode is no note at all.
_COMPARED_KINDS = ("lesson", "decision", "pattern", "issue", "rule", "preference")


def find_duplicates(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find notes with the same text in different kinds or scopes."""
    for same in _group_same(facts.notes):
        handles = ", ".join(note.handle for note in same)
        first, *others = same
        yield build_finding(
            *("note-twice", "memory", handles),
            count=len(same),
            text=first.text,
            retire=" ".join(note.handle for note in others),
        )


def report_near_pairs(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Report near-duplicate notes of the same skill and kind."""
    for one, other, share in facts.near:
        yield build_finding(
            *("note-near", "memory", f"{one.handle}, {other.handle}"),
            percent=round(share * 100),
            text=one.text,
            older=one.handle,
            newer=other.handle,
        )


def find_near_pairs(notes: Iterable[Note]) -> list[Pair]:
    """Return pairs of near-duplicate but different notes, older note first."""
    pairs = find_near_duplicates(
        (note for note in notes if note.kind in _COMPARED_KINDS),
        threshold=THRESHOLD,
        group_by=lambda note: (note.scope.skill, note.kind),
    )
    return [pair for pair in pairs if normalise_text(pair[0].text) != normalise_text(pair[1].text)]


def _group_same(notes: Iterable[Note]) -> list[list[Note]]:
    groups: dict[tuple[str, str], list[Note]] = {}
    for note in notes:
        if note.kind in _COMPARED_KINDS:
            groups.setdefault((note.scope.skill, normalise_text(note.text)), []).append(note)
    return [sorted(group, key=lambda note: note.id) for group in groups.values() if len(group) > 1]
