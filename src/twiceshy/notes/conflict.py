"""Conflicting edits of two devices: the later stands, the earlier waits for review.

Conflicts are read from the journal, so devices with equal entries agree.
"""

from __future__ import annotations

from twiceshy.core.history import FORGET, UNDO, in_order
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.core.history import Entry

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


def conflict(entries: Iterable[Entry]) -> tuple[Wording, ...]:
    """Return losing wordings of a note not yet reviewed."""
    ordered = in_order(entries)
    if any(entry.op == FORGET for entry in ordered):
        return ()
    decided = set(settled(ordered))
    lost = (wording for field in WORDS for wording in _lost(_changes(ordered, field), field))
    return tuple(one for one in lost if not decided.issuperset(one.entries))


def settled(entries: Iterable[Entry]) -> tuple[str, ...]:
    """Return edits already decided about."""
    last: object = ()
    for entry in in_order(entries):
        last = (entry.after or {}).get(SETTLED, last)
    return tuple(map(str, last)) if isinstance(last, tuple | list) else ()


class _Change(Value):
    """An edit of a field: before and after."""

    was: str
    now: str
    entry: Entry


def _changes(ordered: Iterable[Entry], field: str) -> list[_Change]:
    """Return the edits of a field, without undone edits."""
    edits = {
        entry.id: _Change(str(entry.before[field]), str(entry.after[field]), entry)
        for entry in ordered
        if entry.before and entry.after and field in entry.before and field in entry.after
    }
    taken_back: set[str] = set()
    for change in reversed(edits.values()):
        entry = change.entry
        if entry.op == UNDO and entry.refers in edits and entry.id not in taken_back:
            taken_back |= {entry.id, entry.refers}
    return [change for name, change in edits.items() if name not in taken_back]


def _lost(changes: Sequence[_Change], field: str) -> list[Wording]:
    """Return diverging edits, and the fate of the losing ones."""
    standing = _led_to(changes[-1].now, changes) if changes else set()
    ends: dict[str, _Change] = {}
    entries: dict[str, list[str]] = {}
    for way in _parted(changes):
        end = _end(way, changes)
        if standing.isdisjoint((way.now, end.now)):
            ends[end.now] = end
            entries.setdefault(end.now, []).append(way.entry.id)
    return [
        Wording(field, said, end.entry.device, end.entry.at, tuple(entries[said]))
        for said, end in ends.items()
    ]


def _parted(changes: Iterable[_Change]) -> list[_Change]:
    """Return edits that left equal words in different directions."""
    leaving: dict[str, list[_Change]] = {}
    for change in changes:
        leaving.setdefault(change.was, []).append(change)
    return [
        way
        for ways in leaving.values()
        if len({way.now for way in ways}) > 1 and len({way.entry.device for way in ways}) > 1
        for way in ways
    ]


def _led_to(now: str, changes: Iterable[_Change]) -> set[str]:
    """Return every earlier wording of the current words."""
    led = {now}
    more = True
    while more:
        older = {change.was for change in changes if change.now in led} - led
        led |= older
        more = bool(older)
    return led


def _end(way: _Change, changes: Sequence[_Change]) -> _Change:
    """Return the last edit derived from an edit."""
    end, met = way, {way.was, way.now}
    for change in changes[changes.index(way) :]:
        if change.was == end.now and change.now not in met:
            end = change
            met.add(end.now)
    return end
