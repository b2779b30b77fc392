"""Check the store: file integrity, derived data, and counts."""

from __future__ import annotations

import os
import stat

from twiceshy.core.clock import is_from_future
from twiceshy.core.store import HealthFinding, StoreSummary
from twiceshy.store import migrate, settle, spool, vectors
from twiceshy.store.connect import FAILURES
from twiceshy.store.database import Database, explain_errors
from twiceshy.store.store_file import mark_suspect

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

_REPAIR = "run: twiceshy doctor --repair"


class SqliteHealth(Database):
    """Checks the store, and counts its contents."""

    def check_health(self) -> Iterator[HealthFinding]:
        """Check every part without changing anything; yield a finding for each."""
        integrity = _check_integrity(self._db)
        yield integrity
        if integrity.verdict == "broken":
            mark_suspect(
                self.path
            )  # whoever writes next sets it aside; nothing else can be looked at
            return
        yield _check_schema(self._db)
        yield _check_drift(self._db)
        yield _check_index(self._db)
        yield _check_vectors(self._db)
        yield _check_clock(self._db, now=self.now())
        yield _check_modes(self.path)
        yield _check_spool(self._spool_path)
        yield _check_rescued(self.path)

    @explain_errors
    def summarise_store(self) -> StoreSummary:
        """Count the contents of the store."""
        files = [self.path + end for end in ("", "-wal") if os.path.exists(self.path + end)]
        shown = "SELECT kind, count(*) FROM notes WHERE status IN ('active', 'candidate')"
        by_status = "SELECT status, count(*) FROM notes GROUP BY status ORDER BY status"
        return StoreSummary(
            notes=dict(self._db.execute(by_status)),
            kinds=dict(self._db.execute(f"{shown} GROUP BY kind ORDER BY kind")),
            skills=self._read_number("SELECT count(DISTINCT skill) FROM notes WHERE skill <> ''"),
            projects=self._read_number(
                "SELECT count(DISTINCT project) FROM notes WHERE project <> '*'"
            ),
            pinned=self._read_number("SELECT count(*) FROM notes WHERE pinned = 1"),
            entries=self._read_number("SELECT count(*) FROM journal"),
            signals=self._read_number("SELECT count(*) FROM signals"),
            episodes=self._read_number("SELECT count(*) FROM episodes"),
            spooled=spool.count_waiting(self._spool_path),
            size=sum(map(os.path.getsize, files)),
            schema=self._read_number("PRAGMA user_version"),
            device=self.device,
            newest=self._read_number("SELECT max(learned_at) FROM notes"),
        )

    def _read_number(self, sql: str, *bound: str) -> int:
        return int(self._db.execute(sql, bound).fetchone()[0] or 0)


def list_exposed_files(path: str) -> Iterator[str]:
    """Yield the paths in the memory home readable by other users."""
    home = os.path.dirname(path)
    for place, folders, files in os.walk(home):
        for name in (".", *folders, *files):
            item = os.path.normpath(os.path.join(place, name))
            if not os.path.islink(item) and stat.S_IMODE(os.stat(item).st_mode) & 0o077:
                yield item


def _check_integrity(db: sqlite3.Connection) -> HealthFinding:
    try:
        problems = [row[0] for row in db.execute("PRAGMA integrity_check(5)") if row[0] != "ok"]
    except FAILURES as error:
        problems = [str(error)]
    if problems:
        return HealthFinding("integrity", "broken", f"the file is damaged: {problems[0]}", _REPAIR)
    return HealthFinding("integrity", "ok", "the file is sound")


def _check_schema(db: sqlite3.Connection) -> HealthFinding:
    lost = migrate.list_missing_parts(db)
    if lost:
        return HealthFinding("schema", "broken", f"missing: {', '.join(lost)}", _REPAIR)
    version = db.execute("PRAGMA user_version").fetchone()[0]
    return HealthFinding("schema", "ok", f"schema {version}, complete")


def _check_drift(db: sqlite3.Connection) -> HealthFinding:
    wrong = settle.list_drifted_notes(db)
    if wrong:
        return HealthFinding(
            "journal", "broken", f"{len(wrong)} notes are not what their history says", _REPAIR
        )
    return HealthFinding("journal", "ok", "every note is what its history says")


def _check_index(db: sqlite3.Connection) -> HealthFinding:
    notes, indexed = db.execute(
        "SELECT (SELECT count(*) FROM notes), (SELECT count(*) FROM words_docsize)"
    ).fetchone()
    if notes != indexed:
        what = f"{indexed} of {notes} notes are in the full-text index"
        return HealthFinding("index", "broken", what, _REPAIR)
    return HealthFinding("index", "ok", f"{notes} notes indexed")


def _check_vectors(db: sqlite3.Connection) -> HealthFinding:
    model = vectors.shipped.identity
    if not model:
        what = "the table of words is missing; recall goes by words alone"
        return HealthFinding("meaning", "warning", what, "install twiceshy again")
    if missing := len(vectors.list_missing(db, model)):
        what = f"{missing} notes have no vector of {model} yet"
        return HealthFinding("meaning", "warning", what, "run: twiceshy reembed")
    return HealthFinding("meaning", "ok", f"every note was looked up in {model}")


def _check_clock(db: sqlite3.Connection, *, now: int) -> HealthFinding:
    newest = db.execute("SELECT max(clock) FROM journal").fetchone()[0] or 0
    if is_from_future(newest, now=now):
        return HealthFinding(
            "clock",
            "warning",
            "the journal has entries from the future",
            "check the time on the machines that share these notes",
        )
    return HealthFinding("clock", "ok", "no entry is from the future")


def _check_modes(path: str) -> HealthFinding:
    exposed = list(list_exposed_files(path))
    if exposed:
        return HealthFinding("modes", "warning", f"others can read {exposed[0]}", _REPAIR)
    return HealthFinding("modes", "ok", "only you can read the memory home")


def _check_spool(records: str) -> HealthFinding:
    if unread := spool.count_unread(records):
        what = f"{unread} records are kept that this version does not understand"
        return HealthFinding(
            "spool", "warning", what, f"upgrade twiceshy; they are in {records}.unread"
        )
    waiting = spool.count_waiting(records)
    if waiting:
        return HealthFinding("spool", "ok", f"{waiting} records wait for the next write")
    return HealthFinding("spool", "ok", "nothing waits")


def _check_rescued(path: str) -> HealthFinding:
    folder = os.path.join(os.path.dirname(path), "rescued")
    copies = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    if copies:
        return HealthFinding(
            "rescued",
            "warning",
            f"a damaged store was set aside in {os.path.join(folder, copies[-1])}",
            "compare with: twiceshy list; delete the folder when you no longer need it",
        )
    return HealthFinding("rescued", "ok", "no damaged store was set aside")
