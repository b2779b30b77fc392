"""Which notes are about a call, and how often they were right about such calls."""

from __future__ import annotations

from twiceshy.core.note import SHOWN
from twiceshy.core.trigger import RECENT, Match, echo_of, parsed
from twiceshy.store.rows import SELECTED, note_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    from twiceshy.core.note import Note
    from twiceshy.core.store import Which

VERSION = 1  # raise it when what is found out about a trigger changes
_BITS = (1 << 31) - 1
_FORM = "="  # no directory: what is counted there was called in the very form that a note is about
_COUNTED = f"f.context <> '{_FORM}'"
_WHICH: dict[Which, str] = {
    "unseen": "t.unseen > 0",
    "recurring": f"t.recent & {RECENT} <> 0 AND notes.life = 'active' AND notes.sightings > 1",
}


def write(db: sqlite3.Connection, note: Note) -> None:
    """Bring the trigger of a note to what the note says; what was counted for it stays."""
    told = note.life in SHOWN and (note.kind != "rule" or note.life == "active")
    trigger = parsed(note.trigger) if note.trigger and told else None
    if trigger is None:
        delete(db, note.id)
        return
    db.execute(
        """
        INSERT INTO triggers VALUES (?, ?, ?, ?, ?, 0, 0, 0, 0, 0)
        ON CONFLICT DO UPDATE SET project = excluded.project, tool = excluded.tool,
            needle = excluded.needle, echo = excluded.echo
        """,
        (note.id, note.scope.project, trigger.tool, trigger.needle, echo_of(note)),
    )


def delete(db: sqlite3.Connection, note_id: str) -> None:
    """Forget that a note is about any call."""
    db.execute("DELETE FROM triggers WHERE note = ?", (note_id,))


def matching(
    db: sqlite3.Connection,
    projects: Sequence[str],
    tool: str | None,
    grams: Sequence[str] | None,
    *,
    error: str = "",
    which: Which = "",
    context: str,
) -> list[Match]:
    """Return the notes whose trigger stands on one of these grams; without grams, all of a tool.

    With an ``error``, those that quote what it says; of all these, only ``which``.
    """
    where, bound = [f"t.project IN ({_marks(projects)})"], list(projects)
    if tool is not None:
        where.append("t.tool = ?")
        bound.append(tool)
    if grams is not None:
        where.append(f"t.needle IN ({_marks(grams)})")
        bound += grams
    if error:
        where.append("t.echo <> '' AND instr(?, t.echo) > 0")
        bound.append(error)
    if which:
        where.append(_WHICH[which])
    rows = db.execute(
        f"""
        SELECT t.age, t.recent, t.unseen,
            (SELECT coalesce(sum(right), 0) FROM firings f WHERE f.note = t.note AND {_COUNTED}),
            (SELECT coalesce(sum(wrong), 0) FROM firings f WHERE f.note = t.note AND {_COUNTED}),
            coalesce(here.right, 0), coalesce(here.wrong, 0),
            (SELECT coalesce(sum(count), 0) FROM tallies c
                WHERE c.note = t.note AND c.name = 'recalls'),
            {SELECTED}
        FROM triggers t JOIN notes ON notes.id = t.note
        LEFT JOIN firings here ON here.note = t.note AND here.context = ?
        WHERE {" AND ".join(where)} AND notes.superseded_by = ''
        ORDER BY t.note
        """,
        (context, *bound),
    ).fetchall()
    return [_match(row) for row in rows]


def written(db: sqlite3.Connection, projects: Sequence[str]) -> list[str]:
    """Return every trigger of some projects as it stands in its note."""
    found = db.execute(
        "SELECT DISTINCT notes.trigger FROM triggers t JOIN notes ON notes.id = t.note"
        f" WHERE t.project IN ({_marks(projects)}) AND notes.superseded_by = ''",
        list(projects),
    )
    return [row[0] for row in found]


def count(db: sqlite3.Connection, note_id: str, context: str, *, failed: bool) -> None:
    """Count that a call failed, or worked, which a note is about."""
    right, wrong = int(failed), int(not failed)
    db.execute(
        """
        INSERT INTO firings VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET right = right + excluded.right, wrong = wrong + excluded.wrong,
            streak = CASE WHEN excluded.right THEN 0 ELSE streak + 1 END
        """,
        (note_id, context, right, wrong, wrong),
    )


def count_form(db: sqlite3.Connection, note_id: str, *, failed: bool) -> int:
    """Count a call in the very form that failed; return how often it worked since it failed last."""
    count(db, note_id, _FORM, failed=failed)
    row = db.execute(
        "SELECT streak FROM firings WHERE note = ? AND context = ?", (note_id, _FORM)
    ).fetchone()
    return int(row[0])


def age(db: sqlite3.Connection, project: str) -> None:
    """Another session of a project has begun: what was the last one is the one before now."""
    db.execute(
        f"UPDATE triggers SET age = age + 1, recent = (recent << 1) & {_BITS} WHERE project = ?",
        (project,),
    )


def made(
    db: sqlite3.Connection, note_id: str, *, unseen: bool, lost_calls: int, lost_ms: int
) -> None:
    """The mistake of a note was made in the newest session, and cost this much."""
    db.execute(
        """
        UPDATE triggers SET recent = recent | 1, unseen = unseen + ?,
            lost_calls = lost_calls + ?, lost_ms = lost_ms + ? WHERE note = ?
        """,
        (unseen, lost_calls, lost_ms, note_id),
    )


def lost(db: sqlite3.Connection, note_ids: Iterable[str]) -> Mapping[str, tuple[int, int]]:
    """Return how many calls and milliseconds the mistakes of notes took in all."""
    found: dict[str, tuple[int, int]] = {}
    for note_id in note_ids:
        row = db.execute(
            "SELECT lost_calls, lost_ms FROM triggers WHERE note = ?", (note_id,)
        ).fetchone()
        if row:
            found[note_id] = (row[0], row[1])
    return found


def _match(row: Sequence[object]) -> Match:
    age_, recent, unseen, right, wrong, right_here, wrong_here, recalls = map(_whole, row[:8])
    note = note_of(row[8:], {"recalls": recalls})
    trigger = parsed(note.trigger)
    assert trigger is not None  # noqa: S101 - only such notes are in the table
    return Match(note, trigger, right, wrong, right_here, wrong_here, age_, recent, unseen)


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
