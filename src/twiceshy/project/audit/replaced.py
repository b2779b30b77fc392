"""Find notes that a newer note replaces, and notes that a rule covers."""

from collections.abc import Callable, Iterable, Sequence

from twiceshy.core.grouping import group_by
from twiceshy.core.note import Note
from twiceshy.language.replacement import find_replaced
from twiceshy.language.similar import firm_terms, telling_terms_of
from twiceshy.language.supersede import has_supersession_cue

_REPLACEABLE = ("decision", "pattern", "preference", "lesson")
_MAX_OLDER = 12  # notes that share most words with one that says that it replaces another
_COVERED_SHARE = 0.8


def find_replacements(
    notes: Iterable[Note], likeness: Callable[[Sequence[str], Sequence[str]], float]
) -> dict[str, Note]:
    """Map the id of an outdated note to the newer note superseding it."""
    replaceable = (note for note in notes if note.kind in _REPLACEABLE and not note.trigger)
    found: dict[str, Note] = {}
    for group in group_by(replaceable, lambda note: (note.kind, note.scope)).values():
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
            verdict, gone = find_replaced(note.text, older[:_MAX_OLDER], likeness)
            if verdict == "replaces" and gone:
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
