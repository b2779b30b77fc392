"""Twins: different entries with one id, which copies of one memory home may write.

Every store keeps both, and gives the id to the same one of them, in whatever order they arrive:
the one with the smaller digest. The other gets an id that is computed from what it is.
"""

from __future__ import annotations

from twiceshy.core.digest import hash_sha256
from twiceshy.core.history import JournalEntry
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3

_LATEST = 2**63  # clocks are less; what is referred to may be anything
_COLUMNS = ("clock", "device", "batch", "op", "object", "at")


class PlacedEntry(Value):
    """The id under which an entry is stored, None if it is known, and what moved for that."""

    entry: JournalEntry | None
    moved: str = ""  # the note or episode of an entry that got another id


def place_entry(db: sqlite3.Connection, entry: JournalEntry) -> PlacedEntry:
    """Find the id for an arriving entry; a known entry may have to give its id away."""
    here = _list_entries_at(db, entry.clock)
    same = (known for known in here if known.identity[1:] == entry.identity[1:])
    for known in same:
        if known.device in (entry.device, _second_device(entry)):
            return PlacedEntry(None)
        if _second_device(known) == entry.device:  # another store knows its twin already
            _move_entry(db, known, entry.device)
            _move_references(db, known, entry.device)
            return PlacedEntry(None, known.object)
    for known in here:
        if known.device == entry.device:
            return _part_twins(db, known, entry)
    return PlacedEntry(entry)


def _part_twins(db: sqlite3.Connection, known: JournalEntry, entry: JournalEntry) -> PlacedEntry:
    """Let the entry with the smaller digest have the id of both."""
    stays, moves = sorted((known, entry), key=_digest)
    second = _second_device(moves)
    if moves is known:
        _move_entry(db, known, second)
    if stays.object != moves.object:  # of one object nobody can tell which of them is meant
        _move_references(db, moves, second)
    if moves is known:
        return PlacedEntry(entry, known.object)
    return PlacedEntry(entry.but(device=second))


def find_referred(db: sqlite3.Connection, entry: JournalEntry) -> str:
    """Return the id of the entry that an arriving entry refers to: a twin may have moved."""
    clock, _, device = entry.refers.partition(".")
    at = int(clock, 16) if device else _LATEST
    found = _list_entries_at(db, at) if at < _LATEST else []
    if any(one.device == device and one.object == entry.object for one in found):
        return entry.refers
    for one in found:
        if one.object == entry.object and _second_device(one.but(device=device)) == one.device:
            return one.id
    return entry.refers


def _list_entries_at(db: sqlite3.Connection, clock: int) -> list[JournalEntry]:
    found = db.execute(f"SELECT {', '.join(_COLUMNS)} FROM journal WHERE clock = ?", (clock,))
    return [JournalEntry.of(dict(zip(_COLUMNS, row, strict=True))) for row in found]


def _digest(entry: JournalEntry) -> str:
    told = "\n".join(map(str, entry.identity[1:]))
    return hash_sha256(told.encode())


def _second_device(entry: JournalEntry) -> str:
    """Return the device in the other id of an entry, which it has beside a twin."""
    return hash_sha256(f"{entry.device}\n{_digest(entry)}".encode())[:32]


def _move_entry(db: sqlite3.Connection, entry: JournalEntry, device: str) -> None:
    """Give a stored entry another device."""
    for table in ("journal", "arrivals"):
        db.execute(
            f"UPDATE OR REPLACE {table} SET device = ? WHERE clock = ? AND device = ?",
            (device, entry.clock, entry.device),
        )


def _move_references(db: sqlite3.Connection, entry: JournalEntry, device: str) -> None:
    """Let entries of the same note refer to an entry under its other id."""
    db.execute(
        "UPDATE journal SET refers = ? WHERE refers = ? AND object = ?",
        (entry.but(device=device).id, entry.id, entry.object),
    )
