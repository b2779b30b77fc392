"""Who does what only one may do at a time, and what was done: two small tables beside the notes.

A holder that begins with the number of its process is known by that process, too, so that nobody waits
for one that was killed. Any other holder keeps a lease to its end, whatever becomes of its process.
"""

from __future__ import annotations

import os

from twiceshy.core.maintenance import KEPT_RUNS, Lease, Run, free
from twiceshy.core.moment import SECOND
from twiceshy.store.rows import check

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3

_COLUMNS = ", ".join(Run.__fields__)
_TYPES = (int, str, int, int, str, str)
_PROCESSES = "/proc"
_BOOT = f"{_PROCESSES}/sys/kernel/random/boot_id"
_ENDED = ("Z", "X")  # states of a process that was killed and that nobody has asked after
_STATE, _STARTED = 0, 19  # in /proc/<number>/stat, behind the name


def take(db: sqlite3.Connection, name: str, holder: str, *, seconds: int, now: int) -> bool:
    """Take a lease if it is free; called in a change, so nobody else looks meanwhile."""
    row = db.execute("SELECT holder, until FROM leases WHERE name = ?", (name,)).fetchone()
    known = Lease(_name(row[0]), row[1]) if row else None
    if not free(known, holder, now=now) and not _is_gone(row[0]):
        return False
    until = now + seconds * SECOND
    db.execute("INSERT OR REPLACE INTO leases VALUES (?, ?, ?)", (name, _signed(holder), until))
    return True


def give_back(db: sqlite3.Connection, name: str, holder: str) -> None:
    """End a lease before its time."""
    db.execute(
        "DELETE FROM leases WHERE name = ? AND holder IN (?, ?)", (name, holder, _signed(holder))
    )


def _name(signed: str) -> str:
    return signed.partition(" ")[0]


def _signed(holder: str) -> str:
    """Return a holder and, if it is this process, how to tell that it is still there."""
    number = str(os.getpid())
    if holder.partition("-")[0] != number:
        return holder
    started, machine = _started(number), _machine()
    return f"{holder} {machine} {started}" if started and machine else holder


def _is_gone(signed: str) -> bool:
    """Tell whether a process of this machine held a lease and has ended; of others nobody knows."""
    holder, _, process = signed.partition(" ")
    machine, _, started = process.partition(" ")
    return (
        bool(started) and machine == _machine() and _started(holder.partition("-")[0]) != started
    )


def _machine() -> str:
    """Return what is the same for all processes that can see each other; nothing where none can tell.

    Not the name of the host: two may have the same and share a home, and so may two containers.
    """
    try:
        with open(_BOOT, encoding="ascii") as file:
            return f"{file.read().strip()}/{os.readlink(f'{_PROCESSES}/self/ns/pid')}"
    except OSError:
        return ""


def _started(number: str) -> str:
    """Return when a process began, so that another of the same number is another; nothing if it ended."""
    try:
        with open(f"{_PROCESSES}/{number}/stat", encoding="utf-8", errors="replace") as file:
            told = file.read().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if told[_STATE] in _ENDED else told[_STARTED]


def begin(db: sqlite3.Connection, what: str, *, now: int) -> int:
    """Begin a run, and let the oldest ones go."""
    added = db.execute(
        "INSERT INTO runs (what, began_at, ended_at, done, error) VALUES (?, ?, 0, '', '')",
        (what, now),
    )
    db.execute(
        "DELETE FROM runs WHERE what = ? AND id NOT IN "
        "(SELECT id FROM runs WHERE what = ? ORDER BY id DESC LIMIT ?)",
        (what, what, KEPT_RUNS),
    )
    return int(added.lastrowid or 0)


def keep(db: sqlite3.Connection, number: int, done: str, *, error: str, ended_at: int) -> None:
    """Write down how far a run is."""
    db.execute(
        "UPDATE runs SET done = ?, error = ?, ended_at = ? WHERE id = ?",
        (done, error, ended_at, number),
    )


def last(db: sqlite3.Connection, what: str, *, limit: int) -> list[Run]:
    """Return the last runs, the last first."""
    found = db.execute(
        f"SELECT {_COLUMNS} FROM runs WHERE what = ? ORDER BY id DESC LIMIT ?", (what, limit)
    ).fetchall()
    for row in found:
        check(row, _TYPES)
    return [Run(*row) for row in found]
