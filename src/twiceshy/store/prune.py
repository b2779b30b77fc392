"""Delete expired rows by the rules of ``core/retention.py``, and release disk space.

Usage is added up by day before session rows are pruned, to keep the counts. A row of ``usage``
is about a skill. A name with a separator is about the sessions able to use notes of a scope: the
skill, or nothing, stands before the separator and the project behind it.
"""

from __future__ import annotations

import os
from contextlib import suppress

from twiceshy.core.evidence import PASSED, STOP, Episode
from twiceshy.core.moment import format_day
from twiceshy.core.retention import MOST_OF_NOTE, MOST_ROUTINES
from twiceshy.core.store import Alias, KnownProject, NoteCounter, Tombstone
from twiceshy.core.transcript import CLOSED
from twiceshy.core.view import ViewRecord
from twiceshy.safety.signing import Signature
from twiceshy.store.database import Database
from twiceshy.store.days import prune_days
from twiceshy.store.driver import sqlite3
from twiceshy.store.outcome_sums import move_earlier_weeks, sum_old_outcomes

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from twiceshy.core.retention import Retention
    from twiceshy.core.store import Dropped

    There = Callable[[str], bool]

_MIN_FREE_PAGES = 256  # free pages, a megabyte, below which nobody is made to wait for it
_MIN_FREE_SHARE = 4  # of the file that must be free
_COUNTS = ("freelist_count", "page_count")
_DROPPED: dict[type[Dropped], tuple[tuple[str, str], ...]] = {
    Episode: (
        *(("payloads", "object"), ("journal", "object"), ("verdicts", "object")),
        ("episodes", "id"),
    ),
    Signature: (("signatures", "note"),),
    ViewRecord: (("views", "path"),),
    # What an import brought, for its undo; of several columns the key is joined by a separator.
    Alias: (("aliases", "alias"),),
    KnownProject: (("projects", "id"),),
    NoteCounter: (("counters", "note || char(31) || name || char(31) || device"),),
    Tombstone: (("tombstones", "project || char(31) || skill || char(31) || fingerprint"),),
}
_NOTE_GONE = "note NOT IN (SELECT id FROM notes)"
# Exposures of existing handoffs are never too old.
_HANDED_OVER = "channel = 'handoff' AND note IN (SELECT id FROM episodes)"
_SESSION_KNOWN = "session IN (SELECT id FROM sessions)"
SEPARATOR = "\x1f"  # no name of a skill or a project has it


class SqlitePruning(Database):
    """Deletes expired rows, and shrinks the file."""

    def prune(self, rules: Retention, *, transcript_exists: There) -> Mapping[str, int]:
        """Delete expired rows; return the number of deleted rows by table.

        ``transcript_exists`` tells whether a transcript file is still there.
        """
        with self.change():
            prune_days(self._db, now=self.now())
            now = self.now(believed=True)
            summed = _sum_outcomes(self._db, rules, now=now, device=self.device)
            return summed | _prune_tables(
                self._db, rules, now=now, transcript_exists=transcript_exists
            )

    def drop_records(self, kind: type[Dropped], *keys: str) -> None:
        """Remove the records with these keys; an episode loses its history as well."""
        with self.change():
            for table, column in _DROPPED[kind]:
                rows = [(key,) for key in keys]
                self._db.executemany(f"DELETE FROM {table} WHERE {column} = ?", rows)

    def shrink(self) -> int:
        """Release unused disk space if worthwhile; return the number of bytes.

        A file in use by another process is left alone.
        """
        free, pages = (self._db.execute(f"PRAGMA {what}").fetchone()[0] for what in _COUNTS)
        if self._db.in_transaction or free < _MIN_FREE_PAGES or free * _MIN_FREE_SHARE < pages:
            return 0
        before = os.path.getsize(self.path)
        with suppress(sqlite3.OperationalError):  # the next time will do
            self._db.execute("VACUUM")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return max(0, before - os.path.getsize(self.path))


def _prune_tables(
    db: sqlite3.Connection, rules: Retention, *, now: int, transcript_exists: There
) -> dict[str, int]:
    """Delete expired rows, inside the caller's transaction; return the counts by table."""
    state, evidence = rules.state_since(now), rules.evidence_since(now)
    archive = rules.archive_since(now)
    over = list(
        _list_finished_sessions(
            db, state=state, archive=archive, transcript_exists=transcript_exists
        )
    )
    counts = {
        "sessions": fold_sessions(db, over),
        "skill_uses": fold_uses(db, before=evidence),
        "skill_usage": fold_months(
            db, before=rules.months_since(now), scopes=format_day(evidence)[:7]
        ),
        "intents": _delete_rows(db, "intents", "at < ?", state),
        "authors": _delete_rows(db, "authors", f"at < ? AND NOT {_SESSION_KNOWN}", state),
        "arrivals": _delete_rows(db, "arrivals", "at < ?", archive),
        "exposures": _prune_exposures(db, rules.showings_since(now), evidence),
        "evidence": _prune_beyond_newest(db, "evidence", evidence, key="note, signal"),
        "signals": _prune_signals(db, evidence),
        "transcript_progress": _prune_progress(db, state, transcript_exists),
        "seen_calls": _delete_rows(db, "seen_calls", "at < ?", rules.copies_since(now)),
        "model_calls": _delete_rows(db, "model_calls", "at < ?", rules.accounts_since(now)),
        "trigger_counts": _delete_rows(db, "trigger_counts", _NOTE_GONE),
    }
    # an agent that goes on after so long is told anew what it was told
    db.execute(
        f"UPDATE skill_uses SET told = '' WHERE told <> '' AND at < ? AND NOT {_SESSION_KNOWN}",
        (state,),
    )
    return {table: count for table, count in counts.items() if count}


def _list_finished_sessions(
    db: sqlite3.Connection, *, state: int, archive: int, transcript_exists: There
) -> Iterator[str]:
    """Yield the old sessions with nothing left to learn from."""
    read = f"SELECT 1 FROM transcript_progress r WHERE r.session = s.id AND substr(r.state, 1, {len(CLOSED)})"
    found = db.execute(
        f"""
        SELECT id, transcript, EXISTS ({read} = ?) AND NOT EXISTS ({read} <> ?) FROM sessions s
        WHERE seen_at < ? AND (compactions = 0 OR seen_at < ?)
        """,
        (CLOSED, CLOSED, state, archive),
    ).fetchall()
    for session, transcript, learned in found:
        if learned or not transcript or not transcript_exists(transcript):
            yield session


def _sum_outcomes(
    db: sqlite3.Connection, rules: Retention, *, now: int, device: str
) -> dict[str, int]:
    """Sum old outcomes by week, and old weeks further; return the counts by table."""
    showings, evidence = rules.showings_since(now), rules.evidence_since(now)
    counts = {
        "outcomes": _delete_rows(db, "outcomes", f"at < ? AND {_NOTE_GONE}", showings)
        + sum_old_outcomes(db, device=device, before=showings, foreign_before=evidence),
        "outcome_sums": _delete_rows(db, "outcome_sums", _NOTE_GONE)
        + move_earlier_weeks(db, device=device, before=evidence),
    }
    return {table: count for table, count in counts.items() if count}


def _prune_exposures(db: sqlite3.Connection, showings: int, evidence: int) -> int:
    """Delete old exposures; those by which a stop is judged later, without a transcript."""
    stay = f"{_HANDED_OVER} OR channel IN ('{STOP}', '{PASSED}')"
    return _prune_beyond_newest(db, "exposures", showings, but=stay) + _prune_beyond_newest(
        db, "exposures", evidence, but=_HANDED_OVER
    )


def _prune_signals(db: sqlite3.Connection, before: int) -> int:
    routine = (
        "SELECT key FROM (SELECT key, row_number() OVER"
        " (PARTITION BY project ORDER BY at DESC, key) AS place FROM signals"
        f" WHERE kind = 'workflow') WHERE place <= {MOST_ROUTINES}"
    )
    return _delete_rows(
        db,
        "signals",
        "at < ? AND kind <> 'checkpoint' AND key NOT IN (SELECT signal FROM evidence)"
        f" AND key NOT IN ({routine})",
        before,
    )


def _prune_progress(db: sqlite3.Connection, before: int, transcript_exists: There) -> int:
    found = db.execute("SELECT path FROM transcript_progress WHERE at < ?", (before,)).fetchall()
    gone = [row for row in found if not transcript_exists(row[0])]
    db.executemany("DELETE FROM transcript_progress WHERE path = ?", gone)
    return len(gone)


def _prune_beyond_newest(
    db: sqlite3.Connection,
    table: str,
    before: int,
    *,
    key: str = "key",
    but: str = "0",
) -> int:
    """Delete old rows not among the newest rows of an existing note."""
    placed = (
        f"SELECT {key}, row_number() OVER (PARTITION BY note ORDER BY at DESC, {key}) AS place,"
        f" {_NOTE_GONE} AS gone FROM {table}"
    )
    kept = f"SELECT {key} FROM ({placed}) WHERE place <= {MOST_OF_NOTE} AND NOT gone"
    return _delete_rows(db, table, f"at < ? AND NOT ({but}) AND ({key}) NOT IN ({kept})", before)


def _delete_rows(db: sqlite3.Connection, table: str, where: str, *values: int) -> int:
    return db.execute(f"DELETE FROM {table} WHERE {where}", values).rowcount


def fold_uses(db: sqlite3.Connection, *, before: int) -> int:
    """Add up and delete skill uses ended before a time; return the number of rows."""
    over = "SELECT skill, session FROM skill_uses GROUP BY skill, session HAVING max(at) < ?"
    db.execute("DROP TABLE IF EXISTS temp.over")
    db.execute(f"CREATE TEMP TABLE over AS {over}", (before,))
    rows = "FROM skill_uses WHERE (skill, session) IN (SELECT skill, session FROM temp.over)"
    last = f"SELECT skill, max(at) {rows} AND how = 'active' GROUP BY skill, session"
    first = f"SELECT skill, project, min(at) {rows} GROUP BY skill, session, project"
    _count_moments(db, db.execute(last).fetchall())
    _count_moments(
        db,
        [
            (_build_scope_key(skill, project), at)
            for skill, project, at in db.execute(first).fetchall()
        ],
    )
    deleted = db.execute(f"DELETE {rows}").rowcount
    db.execute("DROP TABLE temp.over")
    return deleted


def fold_sessions(db: sqlite3.Connection, sessions: Iterable[str]) -> int:
    """Add up session starts by project, and delete the sessions; return the number of rows."""
    gone = [(session,) for session in sessions]
    for session in gone:
        row = db.execute("SELECT project, started_at FROM sessions WHERE id = ?", session)
        _count_moments(db, [(_build_scope_key("", project), at) for project, at in row.fetchall()])
    db.executemany("DELETE FROM sessions WHERE id = ?", gone)
    return len(gone)


def fold_months(db: sqlite3.Connection, *, before: str, scopes: str) -> int:
    """Add days before a month up to months; return the number of rows saved.

    Rows about ``scopes`` are added up sooner: there are many, and their days are never needed.
    """
    old = """
        FROM skill_usage WHERE substr(day, 9) <> '01'
            AND substr(day, 1, 7) < CASE WHEN instr(skill, ?) > 0 THEN ? ELSE ? END
    """
    bound = (SEPARATOR, scopes, before)
    months = f"SELECT skill, substr(day, 1, 7) || '-01', sessions, last_at {old}"
    rows = db.execute(months, bound).fetchall()
    many = db.execute("SELECT count(*) FROM skill_usage").fetchone()[0]
    db.execute(f"DELETE {old}", bound)
    for row in rows:
        _add_usage(db, *row)
    return int(many - db.execute("SELECT count(*) FROM skill_usage").fetchone()[0])


def list_pruned_starts(db: sqlite3.Connection, skill: str, projects: Sequence[str]) -> list[int]:
    """Return start times of pruned sessions of a scope, as the last start on their day."""
    found = db.execute(
        "SELECT skill, sessions, last_at FROM skill_usage WHERE substr(skill, 1, ?) = ? ORDER BY last_at",
        (len(skill) + 1, skill + SEPARATOR),
    ).fetchall()
    wanted = {_build_scope_key(skill, project) for project in projects}
    return [
        at for name, count, at in found if not projects or name in wanted for _ in range(count)
    ]


def _build_scope_key(skill: str, project: str) -> str:
    return f"{skill}{SEPARATOR}{project}"


def _count_moments(db: sqlite3.Connection, moments: Iterable[tuple[str, int]]) -> None:
    for name, at in moments:
        _add_usage(db, name, format_day(at), 1, at)


def _add_usage(db: sqlite3.Connection, name: str, on: str, sessions: int, at: int) -> None:
    db.execute(
        """
        INSERT INTO skill_usage VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET
            sessions = sessions + excluded.sessions, last_at = max(last_at, excluded.last_at)
        """,
        (name, on, sessions, at),
    )
