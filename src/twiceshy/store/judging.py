"""Verdicts of the gate in the store: about what a change wrote, and about what waits for one."""

from __future__ import annotations

from twiceshy.core.evidence import Episode
from twiceshy.core.note import Note
from twiceshy.core.verdict import OWN, GateVerdict
from twiceshy.safety.gate_rules import (
    ELSEWHERE,
    GATE_RULES,
    find_earlier_origin,
    find_origin,
    vouch_for,
)
from twiceshy.store.evidence import build_episode
from twiceshy.store.notes import select_notes
from twiceshy.store.rows import join_marks

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping

EPISODE = "e"  # how ids of episodes begin
_COLUMNS = ", ".join(GateVerdict.__fields__)
_EPISODE_COLUMNS = ", ".join(Episode.__fields__)
_TABLES = ("notes", "episodes")
_WAITING = """
    SELECT id FROM {table} LEFT JOIN verdicts v ON v.object = id
    WHERE v.object IS NULL OR v.rules <> ? ORDER BY id
"""
_ARRIVED = """
    SELECT 1 FROM journal j JOIN arrivals a ON a.clock = j.clock AND a.device = j.device
    WHERE j.object = ? AND j.after IS NOT NULL LIMIT 1
"""


def read_object(db: sqlite3.Connection, object_id: str) -> Note | Episode | None:
    """Return a note or an episode by its id."""
    if object_id.startswith(EPISODE):
        asked = f"SELECT {_EPISODE_COLUMNS} FROM episodes WHERE id = ?"
        row = db.execute(asked, (object_id,)).fetchone()
        return build_episode(row) if row else None
    return next(iter(select_notes(db, "notes.id = ?", [object_id])), None)


def write_verdict(db: sqlite3.Connection, verdict: GateVerdict) -> None:
    """Write a verdict in the place of an earlier one."""
    values = list(verdict.fields().values())
    db.execute(f"INSERT OR REPLACE INTO verdicts VALUES ({join_marks(values)})", values)


def judge_touched(
    db: sqlite3.Connection, touched: Mapping[str, bool], vouched: Mapping[str, bool]
) -> None:
    """Judge the notes and episodes of a change; a verdict about the same words stays.

    ``touched`` says of each whether it came from elsewhere; ``vouched`` are a person's own, or only
    their labels are (False), which vouches for no text that is held.
    """
    for object_id, arrived in touched.items():
        found, known = read_object(db, object_id), _read_verdict(db, object_id)
        if found is None:
            db.execute("DELETE FROM verdicts WHERE object = ?", (object_id,))
        elif (
            object_id in vouched
            and not arrived
            and (vouched[object_id] or known is None or not known.reason)
        ):
            write_verdict(db, vouch_for(found))
        elif known is None or known.content != found.told_content:
            write_verdict(db, _judge(found, _find_origin(found, arrived=arrived)))


def judge_waiting(db: sqlite3.Connection) -> Iterator[str]:
    """Judge what has no verdict by today's rules; yield the ids."""
    for table in _TABLES:
        for (object_id,) in db.execute(_WAITING.format(table=table), (GATE_RULES,)).fetchall():
            found, known = read_object(db, object_id), _read_verdict(db, object_id)
            if found is None:
                continue
            is_known = known is not None and known.content == found.told_content
            origin = known.origin if known and is_known else _find_earlier_origin(db, found)
            write_verdict(db, _judge(found, origin))
            yield object_id


def judge_rewritten(db: sqlite3.Connection, objects: Iterable[str]) -> None:
    """Judge what an erasure took words out of: as the words of whom it was judged before."""
    for object_id in objects:
        found, known = read_object(db, object_id), _read_verdict(db, object_id)
        if found is not None and known is not None:
            write_verdict(db, _judge(found, known.origin))


def has_waiting(db: sqlite3.Connection) -> bool:
    """True if something has no verdict by today's rules."""
    asked = (f"{_WAITING.format(table=table)} LIMIT 1" for table in _TABLES)
    return any(db.execute(each, (GATE_RULES,)).fetchone() for each in asked)


def judge_in_memory(db: sqlite3.Connection) -> None:
    """Judge what waits in a file that cannot be written: the verdicts last as long as the process."""
    is_copy = not db.execute("PRAGMA main.database_list").fetchone()[2]
    if not is_copy:  # in a copy in memory there is room for them
        db.execute("CREATE TEMP TABLE IF NOT EXISTS verdicts AS SELECT * FROM main.verdicts")
        db.execute(
            "CREATE UNIQUE INDEX IF NOT EXISTS temp.verdicts_by_object ON verdicts (object)"
        )
    list(judge_waiting(db))


def _read_verdict(db: sqlite3.Connection, object_id: str) -> GateVerdict | None:
    row = db.execute(f"SELECT {_COLUMNS} FROM verdicts WHERE object = ?", (object_id,)).fetchone()
    return GateVerdict(*row) if row else None


def _find_origin(found: Note | Episode, *, arrived: bool) -> str:
    return find_origin(found, arrived=arrived) if isinstance(found, Note) else ELSEWHERE


def _find_earlier_origin(db: sqlite3.Connection, found: Note | Episode) -> str:
    if isinstance(found, Episode):
        return ELSEWHERE
    arrived = db.execute(_ARRIVED, (found.id,)).fetchone() is not None
    return find_earlier_origin(found, arrived=arrived)


def _judge(found: Note | Episode, origin: str) -> GateVerdict:
    if origin == OWN:
        return vouch_for(found)
    from twiceshy.safety.gate import judge_episode, judge_note

    return judge_note(found, origin) if isinstance(found, Note) else judge_episode(found, origin)
