"""The state of a store: is the file sound, is everything derived right, and how much is there."""

from __future__ import annotations

import os
import stat

from twiceshy.core.clock import from_future
from twiceshy.core.store import Finding, Standing
from twiceshy.store import migrate, settle, spool, vectors
from twiceshy.store.connect import FAILURES
from twiceshy.store.database import SqliteDatabase, explain_errors
from twiceshy.store.place import suspect

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

_REPAIR = "run: twiceshy doctor --repair"


class SqliteHealth(SqliteDatabase):
    """Looks the store over, and counts what it holds."""

    def health(self) -> Iterator[Finding]:
        """Look everything over without changing it: one finding for each thing, good or bad."""
        integrity = _integrity(self._db)
        yield integrity
        if integrity.verdict == "broken":
            suspect(self.path)  # whoever writes next sets it aside; nothing else can be looked at
            return
        yield _schema(self._db)
        yield _drift(self._db)
        yield _index(self._db)
        yield _meaning(self._db)
        yield _clock(self._db, now=self.now())
        yield _modes(self.path)
        yield _spooled(self._spool)
        yield _rescued(self.path)

    @explain_errors
    def standing(self) -> Standing:
        """Count what there is."""
        files = [self.path + end for end in ("", "-wal") if os.path.exists(self.path + end)]
        shown = "SELECT kind, count(*) FROM notes WHERE life IN ('active', 'candidate')"
        by_life = "SELECT life, count(*) FROM notes GROUP BY life ORDER BY life"
        return Standing(
            notes=dict(self._db.execute(by_life)),
            kinds=dict(self._db.execute(f"{shown} GROUP BY kind ORDER BY kind")),
            skills=self._number("SELECT count(DISTINCT skill) FROM notes WHERE skill <> ''"),
            projects=self._number(
                "SELECT count(DISTINCT project) FROM notes WHERE project <> '*'"
            ),
            pinned=self._number("SELECT count(*) FROM notes WHERE pinned = 1"),
            entries=self._number("SELECT count(*) FROM journal"),
            signals=self._number("SELECT count(*) FROM signals"),
            episodes=self._number("SELECT count(*) FROM episodes"),
            spooled=spool.waiting(self._spool),
            size=sum(map(os.path.getsize, files)),
            schema=self._number("PRAGMA user_version"),
            device=self.device,
            newest=self._number("SELECT max(learned_at) FROM notes"),
        )

    def _number(self, sql: str, *bound: str) -> int:
        return int(self._db.execute(sql, bound).fetchone()[0] or 0)


def open_to_others(path: str) -> Iterator[str]:
    """Yield what in the memory home others can read or enter."""
    home = os.path.dirname(path)
    for place, folders, files in os.walk(home):
        for name in (".", *folders, *files):
            item = os.path.normpath(os.path.join(place, name))
            if not os.path.islink(item) and stat.S_IMODE(os.stat(item).st_mode) & 0o077:
                yield item


def _integrity(db: sqlite3.Connection) -> Finding:
    try:
        problems = [row[0] for row in db.execute("PRAGMA integrity_check(5)") if row[0] != "ok"]
    except FAILURES as error:
        problems = [str(error)]
    if problems:
        return Finding("integrity", "broken", f"the file is damaged: {problems[0]}", _REPAIR)
    return Finding("integrity", "ok", "the file is sound")


def _schema(db: sqlite3.Connection) -> Finding:
    lost = migrate.missing_parts(db)
    if lost:
        return Finding("schema", "broken", f"missing: {', '.join(lost)}", _REPAIR)
    version = db.execute("PRAGMA user_version").fetchone()[0]
    return Finding("schema", "ok", f"schema {version}, complete")


def _drift(db: sqlite3.Connection) -> Finding:
    wrong = settle.drifted(db)
    if wrong:
        return Finding(
            "journal", "broken", f"{len(wrong)} notes are not what their history says", _REPAIR
        )
    return Finding("journal", "ok", "every note is what its history says")


def _index(db: sqlite3.Connection) -> Finding:
    notes, indexed = db.execute(
        "SELECT (SELECT count(*) FROM notes), (SELECT count(*) FROM words_docsize)"
    ).fetchone()
    if notes != indexed:
        what = f"{indexed} of {notes} notes are in the full-text index"
        return Finding("index", "broken", what, _REPAIR)
    return Finding("index", "ok", f"{notes} notes indexed")


def _meaning(db: sqlite3.Connection) -> Finding:
    model = vectors.shipped.identity
    if not model:
        what = "the table of words is missing; recall goes by words alone"
        return Finding("meaning", "warning", what, "install twiceshy again")
    if missing := len(vectors.missing(db, model)):
        what = f"{missing} notes have no vector of {model} yet"
        return Finding("meaning", "warning", what, "run: twiceshy reembed")
    return Finding("meaning", "ok", f"every note was looked up in {model}")


def _clock(db: sqlite3.Connection, *, now: int) -> Finding:
    newest = db.execute("SELECT max(clock) FROM journal").fetchone()[0] or 0
    if from_future(newest, now=now):
        return Finding(
            "clock",
            "warning",
            "the journal has entries from the future",
            "check the time on the machines that share these notes",
        )
    return Finding("clock", "ok", "no entry is from the future")


def _modes(path: str) -> Finding:
    exposed = list(open_to_others(path))
    if exposed:
        return Finding("modes", "warning", f"others can read {exposed[0]}", _REPAIR)
    return Finding("modes", "ok", "only you can read the memory home")


def _spooled(records: str) -> Finding:
    if unread := spool.unread(records):
        what = f"{unread} records are kept that this version does not understand"
        return Finding("spool", "warning", what, f"upgrade twiceshy; they are in {records}.unread")
    waiting = spool.waiting(records)
    if waiting:
        return Finding("spool", "ok", f"{waiting} records wait for the next write")
    return Finding("spool", "ok", "nothing waits")


def _rescued(path: str) -> Finding:
    folder = os.path.join(os.path.dirname(path), "rescued")
    copies = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    if copies:
        return Finding(
            "rescued",
            "warning",
            f"a damaged store was set aside in {os.path.join(folder, copies[-1])}",
            "compare with: twiceshy list; delete the folder when you no longer need it",
        )
    return Finding("rescued", "ok", "no damaged store was set aside")
