"""Conflicting edits of two devices: the later stands, the earlier waits for review.

Conflicts are read from the journal, so devices with equal entries agree.
"""

from collections.abc import Iterable, Sequence

from twiceshy.core.history import FORGET, UNDO, JournalEntry, sort_entries
from twiceshy.core.value import Value

WORDS = ("text", "why")
# What an entry tells that decides a conflict, and no field of the note: the edits that were looked at.
SETTLED = "settled"


class Wording(Value):
    """A device's wording of a note: time, and the diverging edits."""

    field: str
    said: str
    device: str
    at: int
    entries: tuple[str, ...]


def find_conflicts(entries: Iterable[JournalEntry]) -> tuple[Wording, ...]:
    """Return losing wordings of a note not yet reviewed."""
    ordered = sort_entries(entries)
    if any(entry.op == FORGET for entry in ordered):
        return ()
    decided = set(settled_edits(ordered))
    lost = (
        wording for field in WORDS for wording in _lost_edits(_field_edits(ordered, field), field)
    )
    return tuple(one for one in lost if not decided.issuperset(one.entries))


def settled_edits(entries: Iterable[JournalEntry]) -> tuple[str, ...]:
    """Return edits already decided about."""
    last: object = ()
    for entry in sort_entries(entries):
        last = (entry.after or {}).get(SETTLED, last)
    return tuple(map(str, last)) if isinstance(last, tuple | list) else ()


class _FieldEdit(Value):
    """An edit of a field: before and after."""

    was: str
    now: str
    entry: JournalEntry


def _field_edits(ordered: Iterable[JournalEntry], field: str) -> list[_FieldEdit]:
    """Return the edits of a field, without undone edits."""
    edits = {
        entry.id: _FieldEdit(str(entry.before[field]), str(entry.after[field]), entry)
        for entry in ordered
        if entry.before and entry.after and field in entry.before and field in entry.after
    }
    taken_back: set[str] = set()
    for change in reversed(edits.values()):
        entry = change.entry
        if entry.op == UNDO and entry.refers in edits and entry.id not in taken_back:
            taken_back |= {entry.id, entry.refers}
    return [change for name, change in edits.items() if name not in taken_back]


def _lost_edits(changes: Sequence[_FieldEdit], field: str) -> list[Wording]:
    """Return diverging edits, and the fate of the losing ones."""
    standing = _ancestor_words(changes[-1].now, changes) if changes else set()
    ends: dict[str, _FieldEdit] = {}
    entries: dict[str, list[str]] = {}
    for way in _diverging_edits(changes):
        end = _last_edit(way, changes)
        if standing.isdisjoint((way.now, end.now)):
            ends[end.now] = end
            entries.setdefault(end.now, []).append(way.entry.id)
    return [
        Wording(field, said, end.entry.device, end.entry.at, tuple(entries[said]))
        for said, end in ends.items()
    ]


def _diverging_edits(changes: Iterable[_FieldEdit]) -> list[_FieldEdit]:
    """Return edits that left equal words in different directions."""
    leaving: dict[str, list[_FieldEdit]] = {}
    for change in changes:
        leaving.setdefault(change.was, []).append(change)
    return [
        way
        for ways in leaving.values()
        if len({way.now for way in ways}) > 1 and len({way.entry.device for way in ways}) > 1
        for way in ways
    ]


def _ancestor_words(now: str, changes: Iterable[_FieldEdit]) -> set[str]:
    """Return every earlier wording of the current words."""
    led = older = {now}
    while older:
        older = {change.was for change in changes if change.now in led} - led
        led = led | older
    return led


def _last_edit(way: _FieldEdit, changes: Sequence[_FieldEdit]) -> _FieldEdit:
    """Return the last edit derived from an edit."""
    end, met = way, {way.was, way.now}
    for change in changes[changes.index(way) :]:
        if change.was == end.now and change.now not in met:
            end = change
            met.add(end.now)
    return end
