"""Which notes of one scope say nearly the same, or take each other's place; never all against all."""

from __future__ import annotations

from twiceshy.language.similar import firm_words, overlap, rarest_needed, words_of
from twiceshy.language.supersede import replaced, says_so

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.core.note import Note

_APART = ("task", "page", "rule")  # repeating oneself is normal there, or for others to decide
_REPLACEABLE = ("decision", "pattern", "preference", "lesson")
_MOST = 12  # notes that share most words with one that says that it replaces another
_COVERED = 0.8


class Shelf:
    """Notes by the words in them."""

    def __init__(self, notes: Iterable[Note]) -> None:
        self.notes = [note for note in notes if note.kind not in _APART]
        self.words = {note.id: words_of(note.text) for note in self.notes}
        self._having: dict[str, list[Note]] = {}
        for note in self.notes:
            for word in self.words[note.id]:
                self._having.setdefault(word, []).append(note)

    def sharing(self, note: Note, *, most: int) -> list[Note]:
        """Return the others of its kind and scope that have one of its ``most`` rarest words."""
        rare = sorted(self.words[note.id], key=lambda word: (len(self._having[word]), word))[:most]
        found = {other.id: other for word in rare for other in self._having[word]}
        return [
            other
            for other in found.values()
            if other.id != note.id and (other.kind, other.scope) == (note.kind, note.scope)
        ]


def twins(shelf: Shelf, *, threshold: float) -> dict[str, Note]:
    """Return by id which note says nearly the same as a better one: pinned, seen more often, older."""
    found: dict[str, Note] = {}
    for note in shelf.notes:
        words = shelf.words[note.id]
        alike = [
            other
            for other in shelf.sharing(note, most=rarest_needed(len(words), threshold=threshold))
            if _better(other) < _better(note)
            and other.trigger == note.trigger  # about other calls is another lesson
            and _shares(words, shelf.words[other.id], threshold)
        ]
        if alike:
            found[note.id] = min(alike, key=_better)
    return found


def replacements(shelf: Shelf) -> dict[str, Note]:
    """Return by id which newer note says itself that it takes the place of one."""
    found: dict[str, Note] = {}
    for note in shelf.notes:
        if note.kind not in _REPLACEABLE or note.trigger or not says_so(note.text):
            continue
        words = shelf.words[note.id]
        older = [
            other
            for other in shelf.sharing(note, most=len(words))
            if other.written_at < note.written_at and not other.pinned and not other.trigger
        ]
        older.sort(key=lambda other: (-len(words & shelf.words[other.id]), other.id))
        if gone := replaced(note.text, older[:_MOST]):
            found[gone.id] = note
    return found


def covering(note: Note, rules: Sequence[Note]) -> Note | None:
    """Return the rule that says all that a note says; None unless that is clear."""
    words = words_of(note.text)
    for rule in rules:
        if rule.tag == note.id:  # it was made of this note
            return rule
        said = words_of(rule.text)
        same = firm_words(words) == firm_words(said)
        if words and same and len(words & said) / len(words) >= _COVERED:
            return rule
    return None


def _shares(one: frozenset[str], other: frozenset[str], threshold: float) -> bool:
    # most share too little, which counting alone tells
    enough = len(one & other) >= threshold * len(one | other)
    return enough and overlap(one, other) >= threshold


def _better(note: Note) -> tuple[bool, int, str]:
    return not note.pinned, -note.sightings, note.id
