"""Leases for exclusive work, and the log of maintenance runs.

A holder whose name begins with its process id is also identified by that process, so nobody
waits for a killed process. Any other holder keeps a lease to its end, whatever becomes of its
process.
"""

from __future__ import annotations

import os

from twiceshy.core.maintenance import KEPT_RUNS, Lease, MaintenanceRun, is_lease_free
from twiceshy.core.moment import SECOND
from twiceshy.store.database import Database, explain_errors
from twiceshy.store.rows import check_types

_COLUMNS = ", ".join(MaintenanceRun.__fields__)
_TYPES = (int, str, int, int, str, str)
_PROCESSES = "/proc"
_BOOT = f"{_PROCESSES}/sys/kernel/random/boot_id"
_ENDED = ("Z", "X")  # states of a process that was killed and that nobody has asked after
_STATE, _STARTED = 0, 19  # in /proc/<number>/stat, behind the name


class SqliteLeases(Database):
    """Stores leases and maintenance runs."""

    def take_lease(self, name: str, holder: str, *, seconds: int) -> bool:
        """Take, extend or release (0 seconds) a lease on some work.

        Return False while another holder has the lease.
        """
        with self.change():  # so nobody else looks meanwhile
            row = self._db.execute(
                "SELECT holder, until FROM leases WHERE name = ?", (name,)
            ).fetchone()
            known = Lease(_parse_holder(row[0]), row[1]) if row else None
            if not is_lease_free(known, holder, now=self.now()) and not _is_holder_dead(row[0]):
                return False
            self._db.execute("DELETE FROM leases WHERE name = ?", (name,))
            if seconds:
                taken = (name, _sign_holder(holder), self.now() + seconds * SECOND)
                self._db.execute("INSERT INTO leases VALUES (?, ?, ?)", taken)
            return True

    def begin_run(self, what: str) -> MaintenanceRun:
        """Record the start of a maintenance run, and delete the oldest runs of the same work."""
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
        return MaintenanceRun(added.lastrowid or 0, what, now, 0, "", "")

    def _write_run(self, run: MaintenanceRun) -> None:
        self._db.execute(
            "UPDATE runs SET done = ?, error = ?, ended_at = ? WHERE id = ?",
            (run.done, self._redact_text(run.error), run.ended_at, run.id),
        )

    @explain_errors
    def list_runs(self, what: str, *, limit: int = 20) -> list[MaintenanceRun]:
        """Return maintenance runs and their results, newest first."""
        found = self._db.execute(
            f"SELECT {_COLUMNS} FROM runs WHERE what = ? ORDER BY id DESC LIMIT ?", (what, limit)
        ).fetchall()
        for row in found:
            check_types(row, _TYPES)
        return [MaintenanceRun(*row) for row in found]


def _parse_holder(signed: str) -> str:
    return signed.partition(" ")[0]


def _sign_holder(holder: str) -> str:
    """Return the holder, with machine and start time if the holder is the current process."""
    number = str(os.getpid())
    if holder.partition("-")[0] != number:
        return holder
    started, machine = _read_start_time(number), _identify_machine()
    return f"{holder} {machine} {started}" if started and machine else holder


def _is_holder_dead(signed: str) -> bool:
    """True if the holder was a process of the local machine and has ended.

    Nothing is known about processes of other machines.
    """
    holder, _, process = signed.partition(" ")
    machine, _, started = process.partition(" ")
    return (
        bool(started)
        and machine == _identify_machine()
        and _read_start_time(holder.partition("-")[0]) != started
    )


def _identify_machine() -> str:
    """Return an id shared by processes visible to each other; empty if unknown.

    Not the host name: two hosts, or two containers, may share both a name and a home.
    """
    try:
        with open(_BOOT, encoding="ascii") as file:
            return f"{file.read().strip()}/{os.readlink(f'{_PROCESSES}/self/ns/pid')}"
    except OSError:
        return ""


def _read_start_time(number: str) -> str:
    """Return the start time of a process; empty if ended.

    The start time distinguishes processes that got the same process id.
    """
    try:
        with open(f"{_PROCESSES}/{number}/stat", encoding="utf-8", errors="replace") as file:
            told = file.read().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if told[_STATE] in _ENDED else told[_STARTED]
