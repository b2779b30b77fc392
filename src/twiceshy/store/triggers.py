"""Which notes are about a call, and how often they were right about such calls."""

from __future__ import annotations

from twiceshy.core.note import SHOWN
from twiceshy.store.database import SqliteDatabase, explain_errors
from twiceshy.store.rows import SELECTED, marks, note_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.core.store import Which
    from twiceshy.core.trigger import Match

VERSION = 1  # raise it when what is found out about a trigger changes
_WHICH: dict[Which, str] = {
    "unseen": "t.unseen > 0",
    "recurring": "t.recent & {recent} <> 0 AND notes.life = 'active' AND notes.sightings > 1",
}


class SqliteTriggers(SqliteDatabase):
    """Finds the notes that are about a call."""

    @explain_errors
    def about_call(
        self,
        projects: Sequence[str],
        tool: str | None = None,
        grams: Sequence[str] | None = None,
        *,
        error: str = "",
        which: Which = "",
        context: str = "",
    ) -> list[Match]:
        """Return the notes whose trigger stands on one of these grams; without grams, all of a tool.

        With an ``error``, those that quote what it says; of all these, only ``which``.
        """
        from twiceshy.core.trigger import FORM, RECENT

        where, bound = [f"t.project IN ({marks(projects)})"], list(projects)
        if tool is not None:
            where.append("t.tool = ?")
            bound.append(tool)
        if grams is not None:
            where.append(f"t.needle IN ({marks(grams)})")
            bound += grams
        if error:
            where.append("t.echo <> '' AND instr(?, t.echo) > 0")
            bound.append(error)
        if which:
            where.append(_WHICH[which].format(recent=RECENT))
        counted = f"FROM firings f WHERE f.note = t.note AND f.context <> '{FORM}'"
        rows = self._db.execute(
            f"""
            SELECT t.age, t.recent, t.unseen, t.lost_calls, t.lost_ms,
                (SELECT coalesce(sum(right), 0) {counted}),
                (SELECT coalesce(sum(wrong), 0) {counted}),
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

    @explain_errors
    def triggers(self, projects: Sequence[str]) -> list[str]:
        """Return every trigger of some projects as it stands in its note."""
        found = self._db.execute(
            "SELECT DISTINCT notes.trigger FROM triggers t JOIN notes ON notes.id = t.note"
            f" WHERE t.project IN ({marks(projects)}) AND notes.superseded_by = ''",
            list(projects),
        )
        return [row[0] for row in found]


def write(db: sqlite3.Connection, note: Note) -> None:
    """Bring the trigger of a note to what the note says; what was counted for it stays."""
    from twiceshy.core.trigger import echo_of, parsed

    told = note.life in SHOWN and (note.kind != "rule" or note.life == "active")
    trigger = parsed(note.trigger) if note.trigger and told else None
    if trigger is None:
        db.execute("DELETE FROM triggers WHERE note = ?", (note.id,))
        return
    db.execute(
        """
        INSERT INTO triggers VALUES (?, ?, ?, ?, ?, 0, 0, 0, 0, 0)
        ON CONFLICT DO UPDATE SET project = excluded.project, tool = excluded.tool,
            needle = excluded.needle, echo = excluded.echo
        """,
        (note.id, note.scope.project, trigger.tool, trigger.needle, echo_of(note)),
    )


def _match(row: Sequence[object]) -> Match:
    from twiceshy.core.trigger import Match, parsed

    *lately, right, wrong, right_here, wrong_here, recalls = map(_whole, row[:10])
    note = note_of(row[10:], {"recalls": recalls})
    trigger = parsed(note.trigger)
    assert trigger is not None  # noqa: S101 - only such notes are in the table
    return Match(note, trigger, right, wrong, right_here, wrong_here, *lately)


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0
