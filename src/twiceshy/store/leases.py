"""Who does what only one may do at a time, and what was done: two small tables beside the notes.

A holder that begins with the number of its process is known by that process, too, so that nobody waits
for one that was killed. Any other holder keeps a lease to its end, whatever becomes of its process.
"""

from __future__ import annotations

import os

from twiceshy.core.maintenance import KEPT_RUNS, Lease, Run, free
from twiceshy.core.moment import SECOND
from twiceshy.store.database import SqliteDatabase, explain_errors
from twiceshy.store.rows import check

_COLUMNS = ", ".join(Run.__fields__)
_TYPES = (int, str, int, int, str, str)
_PROCESSES = "/proc"
_BOOT = f"{_PROCESSES}/sys/kernel/random/boot_id"
_ENDED = ("Z", "X")  # states of a process that was killed and that nobody has asked after
_STATE, _STARTED = 0, 19  # in /proc/<number>/stat, behind the name


class SqliteLeases(SqliteDatabase):
    """Leases, and the runs of maintenance."""

    def lease(self, name: str, holder: str, *, seconds: int) -> bool:
        """Take some work, or keep it for longer, or for no time: give it back.

        False while somebody else does it.
        """
        with self.change():  # so nobody else looks meanwhile
            row = self._db.execute(
                "SELECT holder, until FROM leases WHERE name = ?", (name,)
            ).fetchone()
            known = Lease(_name(row[0]), row[1]) if row else None
            if not free(known, holder, now=self.now()) and not _is_gone(row[0]):
                return False
            self._db.execute("DELETE FROM leases WHERE name = ?", (name,))
            if seconds:
                taken = (name, _signed(holder), self.now() + seconds * SECOND)
                self._db.execute("INSERT INTO leases VALUES (?, ?, ?)", taken)
            return True

    def begin_run(self, what: str) -> Run:
        """Write down that work begins; the oldest runs of such work are let go."""
        now = self.now()
        with self.change():
            added = self._db.execute(
                "INSERT INTO runs (what, began_at, ended_at, done, error) VALUES (?, ?, 0, '', '')",
                (what, now),
            )
            self._db.execute(
                "DELETE FROM runs WHERE what = ? AND id NOT IN "
                "(SELECT id FROM runs WHERE what = ? ORDER BY id DESC LIMIT ?)",
                (what, what, KEPT_RUNS),
            )
        return Run(added.lastrowid or 0, what, now, 0, "", "")

    def _write_run(self, run: Run) -> None:
        self._db.execute(
            "UPDATE runs SET done = ?, error = ?, ended_at = ? WHERE id = ?",
            (run.done, self._gate(run.error), run.ended_at, run.id),
        )

    @explain_errors
    def runs(self, what: str, *, limit: int = 20) -> list[Run]:
        """Return when work was done and what came of it, the last first."""
        found = self._db.execute(
            f"SELECT {_COLUMNS} FROM runs WHERE what = ? ORDER BY id DESC LIMIT ?", (what, limit)
        ).fetchall()
        for row in found:
            check(row, _TYPES)
        return [Run(*row) for row in found]


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
