"""Find near-duplicate and replaced notes within a scope, without comparing every pair."""

from __future__ import annotations

from twiceshy.language.near_duplicates import find_near_duplicates
from twiceshy.language.similar import firm_terms, telling_terms_of
from twiceshy.language.supersede import find_superseded, has_supersession_cue

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.core.note import Note

_EXCLUDED_KINDS = (
    "task",
    "page",
    "rule",
)  # repeating oneself is normal there, or for others to decide
_REPLACEABLE = ("decision", "pattern", "preference", "lesson")
_MAX_OLDER = 12  # notes that share most words with one that says that it replaces another
_COVERED_SHARE = 0.8


def find_duplicates(notes: Iterable[Note], *, threshold: float) -> dict[str, Note]:
    """Map the id of a near-duplicate to the note to keep: pinned, seen more often, older."""
    comparable = [note for note in notes if note.kind not in _EXCLUDED_KINDS]
    pairs = find_near_duplicates(
        comparable,
        threshold=threshold,
        group_by=lambda note: (note.kind, note.scope, note.trigger),  # other calls, other lesson
    )
    kept: dict[str, Note] = {}
    for one, other, _ in pairs:
        better, worse = sorted((one, other), key=_rank)
        kept[worse.id] = min(kept.get(worse.id, better), better, key=_rank)
    return kept


def find_replacements(notes: Iterable[Note]) -> dict[str, Note]:
    """Map the id of an outdated note to the newer note superseding it."""
    groups: dict[tuple[object, ...], list[Note]] = {}
    for note in notes:
        if note.kind in _REPLACEABLE and not note.trigger:
            groups.setdefault((note.kind, note.scope), []).append(note)
    found: dict[str, Note] = {}
    for group in groups.values():
        cued = [note for note in group if has_supersession_cue(note.text)]
        words = {note.id: telling_terms_of(note.text) for note in group} if cued else {}
        for note in cued:
            older = [
                other
                for other in group
                if other.written_at < note.written_at
                and not other.pinned
                and words[note.id] & words[other.id]
            ]
            older.sort(key=lambda other: (-len(words[note.id] & words[other.id]), other.id))
            if gone := find_superseded(note.text, older[:_MAX_OLDER]):
                found[gone.id] = note
    return found


def find_covering_rule(note: Note, rules: Sequence[Note]) -> Note | None:
    """Return the rule covering a note's text; None unless coverage is clear."""
    words = telling_terms_of(note.text)
    for rule in rules:
        if rule.tag == note.id:  # it was made of this note
            return rule
        said = telling_terms_of(rule.text)
        same = firm_terms(words) == firm_terms(said)
        if words and same and len(words & said) / len(words) >= _COVERED_SHARE:
            return rule
    return None


def _rank(note: Note) -> tuple[bool, int, str]:
    return not note.pinned, -note.sightings, note.id
