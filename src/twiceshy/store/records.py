"""Records that commands keep: leases, maintenance runs, model calls and view files.

A holder of a lease whose name begins with its process id is also identified by that process, so
nobody waits for a killed process. Any other holder keeps a lease to its end, whatever becomes of
its process.
"""

from __future__ import annotations

import os

from twiceshy.core.maintenance import KEPT_RUNS, Lease, MaintenanceRun, is_lease_free
from twiceshy.core.model_ledger import ModelCall
from twiceshy.core.moment import SECOND
from twiceshy.core.view import ViewRecord
from twiceshy.safety.redact import RULES_VERSION
from twiceshy.store.database import Database, explain_errors
from twiceshy.store.rows import check_types, join_marks

_RUN_COLUMNS = ", ".join(MaintenanceRun.__fields__)
_RUN_TYPES = (int, str, int, int, str, str)
_CALL_COLUMNS = ", ".join(ModelCall.__fields__)
_CALL_TYPES = tuple(int if kind == "int" else str for kind in ModelCall.__annotations__.values())
_VIEW_COLUMNS = ", ".join(ViewRecord.__fields__)
_PROCESSES = "/proc"
_BOOT = f"{_PROCESSES}/sys/kernel/random/boot_id"
_ENDED = ("Z", "X")  # states of a process that was killed and that nobody has asked after
_STATE, _STARTED = 0, 19  # in /proc/<number>/stat, behind the name


class SqliteRecords(Database):
    """Stores leases, maintenance runs, model calls, and the last version of view files."""

    def take_lease(self, name: str, holder: str, *, seconds: int) -> bool:
        """Take, extend or release (0 seconds) a lease on some work."""
        with self.change():  # so nobody else looks meanwhile
            row = self._db.execute(
                "SELECT holder, until FROM leases WHERE name = ?", (name,)
            ).fetchone()
            known = Lease(row[0].partition(" ")[0], row[1]) if row else None
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
                "INSERT INTO maintenance_runs (what, began_at, ended_at, done, error) VALUES (?, ?, 0, '', '')",
                (what, now),
            )
            self._db.execute(
                "DELETE FROM maintenance_runs WHERE what = ? AND id NOT IN "
                "(SELECT id FROM maintenance_runs WHERE what = ? ORDER BY id DESC LIMIT ?)",
                (what, what, KEPT_RUNS),
            )
        return MaintenanceRun(added.lastrowid or 0, what, now, 0, "", "")

    def _write_run(self, run: MaintenanceRun) -> None:
        self._db.execute(
            "UPDATE maintenance_runs SET done = ?, error = ?, ended_at = ? WHERE id = ?",
            (run.done, self._redact_text(run.error), run.ended_at, run.id),
        )

    @explain_errors
    def list_runs(self, what: str, *, limit: int = 20) -> list[MaintenanceRun]:
        """Return maintenance runs and their results, newest first."""
        found = self._db.execute(
            f"SELECT {_RUN_COLUMNS} FROM maintenance_runs WHERE what = ? ORDER BY id DESC LIMIT ?",
            (what, limit),
        ).fetchall()
        for row in found:
            check_types(row, _RUN_TYPES)
        return [MaintenanceRun(*row) for row in found]

    def _write_model_call(self, spending: ModelCall) -> None:
        # what others put into words passes the gate, and a server may cut a character in half
        safe = spending.but(
            model=self._redact_text(spending.model), error=self._redact_text(spending.error)
        )
        values = [
            value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
            for value in safe.fields().values()
        ]
        self._db.execute(
            f"INSERT INTO model_calls ({_CALL_COLUMNS}) VALUES ({join_marks(values)})", values
        )

    @explain_errors
    def list_model_calls(self, *, since: int = 0) -> list[ModelCall]:
        """Return the model calls since a time, oldest first."""
        found = self._db.execute(
            f"SELECT {_CALL_COLUMNS} FROM model_calls WHERE at >= ? ORDER BY at, id", (since,)
        ).fetchall()
        for row in found:
            check_types(row, _CALL_TYPES)
        return [ModelCall(*row) for row in found]

    @explain_errors
    def list_views(self, path: str = "") -> list[ViewRecord]:
        """Return our last version of a view file, or of every view file, sorted by path."""
        where, values = ("WHERE path = ?", (path,)) if path else ("", ())
        found = self._db.execute(
            f"SELECT {_VIEW_COLUMNS} FROM views {where} ORDER BY path", values
        )
        return [ViewRecord(*row) for row in found]

    def _write_view(self, view: ViewRecord) -> None:
        values = [*view.but(body=self._redact_text(view.body)).fields().values(), RULES_VERSION]
        self._db.execute(f"INSERT OR REPLACE INTO views VALUES ({join_marks(values)})", values)


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
