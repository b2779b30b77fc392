"""Delete rows whose time is over, by the lifetimes of ``core/retention.py``."""

from __future__ import annotations

from twiceshy.core.moment import day
from twiceshy.core.retention import MOST_OF_NOTE, MOST_ROUTINES
from twiceshy.core.transcript_progress import CLOSED
from twiceshy.store import prune_usage

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator

    from twiceshy.core.retention import Retention

    There = Callable[[str], bool]

_GONE = "note NOT IN (SELECT id FROM notes)"
_ALIVE = "session IN (SELECT id FROM sessions)"


def prune(db: sqlite3.Connection, rules: Retention, *, now: int, there: There) -> dict[str, int]:
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
