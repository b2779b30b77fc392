"""How the store stays small: rows whose time is over go, by ``core/retention.py``, and room is given back."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import day
from twiceshy.core.retention import MOST_OF_NOTE, MOST_ROUTINES
from twiceshy.core.transcript_progress import CLOSED
from twiceshy.core.view import View
from twiceshy.safety.signing import Signature
from twiceshy.store import prune_usage
from twiceshy.store.database import SqliteDatabase

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from twiceshy.core.retention import Retention
    from twiceshy.core.store import Dropped

    There = Callable[[str], bool]

_WORTH = 256  # free pages, a megabyte, below which nobody is made to wait for it
_SHARE = 4  # of the file that must be free
_COUNTS = ("freelist_count", "page_count")
_DROPPED: dict[type[Dropped], tuple[tuple[str, str], ...]] = {
    Episode: (("payloads", "object"), ("journal", "object"), ("episodes", "id")),
    Signature: (("signatures", "note"),),
    View: (("views", "path"),),
}
_GONE = "note NOT IN (SELECT id FROM notes)"
_ALIVE = "session IN (SELECT id FROM sessions)"


class SqlitePruning(SqliteDatabase):
    """Keeps the store small."""

    def prune(self, rules: Retention, *, there: There) -> Mapping[str, int]:
        """Remove what nobody can ask for any more; return how many rows of which table.

        ``there`` tells whether a transcript is still there.
        """
        with self.change():
            return _prune(self._db, rules, now=self.now(), there=there)

    def drop(self, kind: type[Dropped], *keys: str) -> None:
        """Remove what was kept under these keys; of an episode its history, too, without a trace."""
        with self.change():
            for table, column in _DROPPED[kind]:
                rows = [(key,) for key in keys]
                self._db.executemany(f"DELETE FROM {table} WHERE {column} = ?", rows)

    def shrink(self) -> int:
        """Give room back that nothing takes up any more, if that pays; return how many bytes.

        Who is busy with the file is not disturbed.
        """
        free, pages = (self._db.execute(f"PRAGMA {what}").fetchone()[0] for what in _COUNTS)
        if self._db.in_transaction or free < _WORTH or free * _SHARE < pages:
            return 0
        before = os.path.getsize(self.path)
        with suppress(sqlite3.OperationalError):  # the next time will do
            self._db.execute("VACUUM")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return max(0, before - os.path.getsize(self.path))


def _prune(db: sqlite3.Connection, rules: Retention, *, now: int, there: There) -> dict[str, int]:
    """Delete what is over, inside the caller's transaction; return how many rows of which table."""
    state, evidence = rules.state_since(now), rules.evidence_since(now)
    archive = rules.archive_since(now)
    over = list(_over(db, state=state, archive=archive, there=there))
    counts = {
        "sessions": prune_usage.fold_sessions(db, over),
        "uses": prune_usage.fold_uses(db, before=evidence),
        "usage": prune_usage.by_month(
            db, before=rules.months_since(now), scopes=day(evidence)[:7]
        ),
        "intents": _delete(db, "intents", "at < ?", state),
        "authors": _delete(db, "authors", f"at < ? AND NOT {_ALIVE}", state),
        "arrivals": _delete(db, "arrivals", "at < ?", archive),
        "exposures": _exposures(db, evidence),
        "outcomes": _beyond_newest(db, "outcomes", evidence, by="note, withheld"),
        "evidence": _beyond_newest(db, "evidence", evidence, key="note, signal"),
        "signals": _signals(db, evidence),
        "readings": _readings(db, state, there),
        "calls": _delete(db, "calls", "at < ?", rules.copies_since(now)),
        "ledger": _delete(db, "ledger", "at < ?", rules.accounts_since(now)),
        "firings": _delete(db, "firings", _GONE),
    }
    # an agent that goes on after so long is told anew what it was told
    db.execute(f"UPDATE uses SET told = '' WHERE told <> '' AND at < ? AND NOT {_ALIVE}", (state,))
    return {table: count for table, count in counts.items() if count}


def _over(db: sqlite3.Connection, *, state: int, archive: int, there: There) -> Iterator[str]:
    """Yield the sessions that nobody goes on with, and from which nothing is left to learn."""
    read = f"SELECT 1 FROM readings r WHERE r.session = s.id AND substr(r.state, 1, {len(CLOSED)})"
    found = db.execute(
        f"""
        SELECT id, transcript, EXISTS ({read} = ?) AND NOT EXISTS ({read} <> ?) FROM sessions s
        WHERE seen_at < ? AND (era = 0 OR seen_at < ?)
        """,
        (CLOSED, CLOSED, state, archive),
    ).fetchall()
    for session, transcript, learned in found:
        if learned or not transcript or not there(transcript):
            yield session


def _exposures(db: sqlite3.Connection, before: int) -> int:
    """Leave those that tell of a handoff which is there that it was shown."""
    handed = "channel = 'handoff' AND note IN (SELECT id FROM episodes)"
    return _beyond_newest(db, "exposures", before, but=handed)


def _signals(db: sqlite3.Connection, before: int) -> int:
    routine = (
        "SELECT key FROM (SELECT key, row_number() OVER"
        " (PARTITION BY project ORDER BY at DESC, key) AS place FROM signals"
        f" WHERE kind = 'workflow') WHERE place <= {MOST_ROUTINES}"
    )
    return _delete(
        db,
        "signals",
        "at < ? AND kind <> 'checkpoint' AND key NOT IN (SELECT signal FROM evidence)"
        f" AND key NOT IN ({routine})",
        before,
    )


def _readings(db: sqlite3.Connection, before: int, there: There) -> int:
    found = db.execute("SELECT path FROM readings WHERE at < ?", (before,)).fetchall()
    gone = [row for row in found if not there(row[0])]
    db.executemany("DELETE FROM readings WHERE path = ?", gone)
    return len(gone)


def _beyond_newest(
    db: sqlite3.Connection,
    table: str,
    before: int,
    *,
    by: str = "note",
    key: str = "key",
    but: str = "0",
) -> int:
    """Delete what is old and not among the newest of a note that is there."""
    placed = (
        f"SELECT {key}, row_number() OVER (PARTITION BY {by} ORDER BY at DESC, {key}) AS place,"
        f" {_GONE} AS gone FROM {table}"
    )
    kept = f"SELECT {key} FROM ({placed}) WHERE place <= {MOST_OF_NOTE} AND NOT gone"
    return _delete(db, table, f"at < ? AND NOT ({but}) AND ({key}) NOT IN ({kept})", before)


def _delete(db: sqlite3.Connection, table: str, where: str, *values: int) -> int:
    return db.execute(f"DELETE FROM {table} WHERE {where}", values).rowcount
