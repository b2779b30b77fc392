"""Check the store: file integrity and derived data; count its contents by project."""

from __future__ import annotations

import os
import stat

from twiceshy.core.clock import is_from_future
from twiceshy.core.moment import format_day
from twiceshy.core.note import SHOWN
from twiceshy.core.store import HealthFinding, ProjectCounts, StoreSummary
from twiceshy.core.text import fold_to_line
from twiceshy.store import migrate, settle, spool, vectors
from twiceshy.store.connect import FAILURES
from twiceshy.store.database import Database, explain_errors
from twiceshy.store.device import examine_device, list_own_devices
from twiceshy.store.exchange import digest_records
from twiceshy.store.prune import list_pruned_starts
from twiceshy.store.store_file import REPORT, mark_suspect

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from twiceshy.core.store import Verdict

_LONGEST_REPORT = 2_000
_REPAIR = "run: twiceshy doctor --repair"
_IDS = """
    SELECT id FROM projects UNION SELECT project FROM notes UNION SELECT project FROM sessions
    UNION SELECT project FROM episodes ORDER BY 1
"""
_SEEN = """
    SELECT max(at) FROM (
        SELECT seen_at AS at FROM projects WHERE id = :id
        UNION ALL SELECT max(seen_at) FROM sessions WHERE project = :id
        UNION ALL SELECT max(ended_at) FROM episodes WHERE project = :id
        UNION ALL SELECT max(learned_at) FROM notes WHERE project = :id
    )
"""


# without what a person has decided about: rejected texts, and notes that are not shown anyway
_HELD = """
    SELECT count(*) FROM verdicts v WHERE (v.reason <> '' OR v.withheld <> '')
        AND v.origin <> v.reason
        AND (v.object IN (SELECT id FROM episodes WHERE kind <> 'original')
            OR v.object IN (SELECT id FROM notes WHERE status IN ('active', 'candidate')))
"""


class SqliteHealth(Database):
    """Checks the store, and counts its contents."""

    def check_health(self) -> Iterator[HealthFinding]:
        """Check every part without changing anything; yield a finding for each."""
        integrity = _check_integrity(self._db)
        broken = integrity.verdict == "broken"
        if broken:
            mark_suspect(self.path)  # whoever writes next sets it aside
        yield integrity
        if broken:
            return  # nothing else can be looked at
        yield _check_schema(self._db)
        yield _check_drift(self._db)
        yield _check_index(self._db)
        yield _check_vectors(self._db)
        yield _check_clock(self._db, now=self.now(), believed=self.now(believed=True))
        yield examine_device(self._db, self.device)
        yield _check_modes(self.path)
        yield _check_spool(self._spool_path)
        yield _check_rescued(self.path)

    @explain_errors
    def summarise_store(self, *, digested: bool = False) -> StoreSummary:
        """Count the contents of the store; ``digested`` also gives the digest of all records."""
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
            episodes=self._read_number("SELECT count(*) FROM episodes WHERE kind <> 'original'"),
            spooled=spool.count_waiting(self._spool_path),
            size=sum(map(os.path.getsize, files)),
            schema=self._read_number("PRAGMA user_version"),
            device=self.device,
            own_devices=tuple(list_own_devices(self._db)),
            newest=self._read_number("SELECT max(learned_at) FROM notes"),
            oldest=self._read_number("SELECT min(learned_at) FROM notes"),
            held=self._read_number(_HELD),
            digest=digest_records(self._db) if digested else "",
        )

    @explain_errors
    def list_project_counts(self) -> list[ProjectCounts]:
        """Return the counts of every project id in use, sorted by id."""
        return [self._count_project(project) for (project,) in self._db.execute(_IDS).fetchall()]

    @explain_errors
    def list_skills(self) -> list[str]:
        """Return the skills with notes."""
        known = self._db.execute("SELECT DISTINCT skill FROM notes WHERE skill <> '' ORDER BY 1")
        return [skill for (skill,) in known]

    def _count_project(self, project: str) -> ProjectCounts:
        shown = "SELECT count(*) FROM notes WHERE project = ? AND status IN (?, ?)"
        here = "SELECT count(*) FROM sessions WHERE project = ?"
        told = "SELECT count(*) FROM episodes WHERE project = ?"
        return ProjectCounts(
            project,
            notes=self._read_number(shown, project, *SHOWN),
            sessions=self._read_number(here, project)
            + len(list_pruned_starts(self._db, "", (project,))),
            episodes=self._read_number(told, project),
            seen_at=self._db.execute(_SEEN, {"id": project}).fetchone()[0] or 0,
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


def _judge(
    what: str, problem: str, fine: str, *, verdict: Verdict = "broken", hint: str = _REPAIR
) -> HealthFinding:
    """Return the finding of a check: its problem with a hint, or that all is fine."""
    if problem:
        return HealthFinding(what, verdict, problem, hint)
    return HealthFinding(what, "ok", fine)


def _check_integrity(db: sqlite3.Connection) -> HealthFinding:
    try:
        problems = [row[0] for row in db.execute("PRAGMA integrity_check(5)") if row[0] != "ok"]
    except FAILURES as error:
        problems = [str(error)]
    problem = f"the file is damaged: {problems[0]}" if problems else ""
    return _judge("integrity", problem, "the file is sound")


def _check_schema(db: sqlite3.Connection) -> HealthFinding:
    lost = ", ".join(migrate.list_missing_parts(db))
    version = db.execute("PRAGMA user_version").fetchone()[0]
    removed = _describe_foreign_parts(db)
    return _judge("schema", lost and f"missing: {lost}", f"schema {version}, complete{removed}")


def _describe_foreign_parts(db: sqlite3.Connection) -> str:
    """Say what another program had put into the store, if anything was removed."""
    row = db.execute("SELECT value FROM meta WHERE key = ?", (migrate.FOREIGN_PARTS,)).fetchone()
    return (
        f"; of another program and removed: {fold_to_line(str(row[0]), limit=100)}" if row else ""
    )


def _check_drift(db: sqlite3.Connection) -> HealthFinding:
    wrong = len(settle.list_drifted_notes(db))
    problem = f"{wrong} notes differ from their history" if wrong else ""
    return _judge("journal", problem, "every note matches its history")


def _check_index(db: sqlite3.Connection) -> HealthFinding:
    notes, indexed = db.execute(
        "SELECT (SELECT count(*) FROM notes), (SELECT coalesce(sum(notes), 0) FROM scopes)"
    ).fetchone()
    problem = f"{indexed} of {notes} notes are in the full-text index"
    return _judge("index", problem if notes != indexed else "", f"{notes} notes indexed")


def _check_vectors(db: sqlite3.Connection) -> HealthFinding:
    model = vectors.shipped.identity
    if not model:
        what = "the word table is missing; recall compares words only"
        return HealthFinding("meaning", "warning", what, "install twiceshy again")
    missing = len(vectors.list_missing(db, model))
    problem = f"{missing} notes have no vector of {model} yet" if missing else ""
    fine = f"every note was looked up in {model}"
    return _judge("meaning", problem, fine, verdict="warning", hint="run: twiceshy reembed")


def _check_clock(db: sqlite3.Connection, *, now: int, believed: int) -> HealthFinding:
    if believed < now:
        problem = f"the clock says {format_day(now)}, long after the last days of use"
        problem += f"; ages count up to {format_day(believed)}"
        hint = "set the clock; if it is right, it is believed after some days of use"
        return HealthFinding("clock", "warning", problem, hint)
    newest = db.execute("SELECT max(clock) FROM journal").fetchone()[0] or 0
    ahead = is_from_future(newest, now=now)
    problem = "the journal has entries from the future" if ahead else ""
    hint = "check the time on the machines that share these notes"
    return _judge("clock", problem, "no entry is from the future", verdict="warning", hint=hint)


def _check_modes(path: str) -> HealthFinding:
    exposed = list(list_exposed_files(path))
    problem = f"others can read {exposed[0]}" if exposed else ""
    return _judge("modes", problem, "only you can read the memory home", verdict="warning")


def _check_spool(records: str) -> HealthFinding:
    unread, waiting = spool.count_unread(records), spool.count_waiting(records)
    problem = f"{unread} records are kept that this version does not understand" if unread else ""
    fine = f"{waiting} records wait for the next write" if waiting else "nothing waits"
    hint = f"upgrade twiceshy; they are in {records}.unread"
    return _judge("spool", problem, fine, verdict="warning", hint=hint)


def _check_rescued(path: str) -> HealthFinding:
    folder = os.path.join(os.path.dirname(path), "rescued")
    copies = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    place = os.path.join(folder, copies[-1]) if copies else ""
    said = f"{_read_report(place)} " if place else ""
    problem = place and f"a damaged store was set aside. {said}It lies in {place}"
    hint = "compare with: twiceshy list; delete the folder when you no longer need it"
    fine = "no damaged store was set aside"
    return _judge("rescued", problem, fine, verdict="warning", hint=hint)


def _read_report(folder: str) -> str:
    """Return what was saved from a damaged store, without the path."""
    try:
        with open(os.path.join(folder, REPORT), encoding="utf-8") as file:
            return file.read(_LONGEST_REPORT).partition(" The damaged file")[0]
    except (OSError, UnicodeDecodeError):
        return ""
