"""Find notes by trigger, with their counts of failed and successful calls."""

from __future__ import annotations

from twiceshy.core.note import SHOWN
from twiceshy.store.database import Database, explain_errors
from twiceshy.store.rows import SELECTED, build_note, join_marks

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.core.store import Which
    from twiceshy.core.trigger import Trigger, TriggerMatch

_MOST_LEARNED = 100  # that are looked at when a session starts
VERSION = 2  # raise it when what is found out about a trigger changes
_COUNTS = 13  # columns of counts before those of the note
_WHICH_CLAUSES: dict[Which, str] = {
    "unseen": "t.unseen > 0",
    "learned": "notes.kind = 'lesson' AND notes.source = 'detector'",
}
# A learned trigger names the category of its mistake behind the tool: "Bash/usage git stauts".
_STATED_CLAUSE = "instr(substr(notes.trigger, 1, instr(notes.trigger, ' ')), '/') = 0"


class SqliteTriggers(Database):
    """Finds notes with a trigger for a call."""

    @explain_errors
    def match_triggers(
        self,
        projects: Sequence[str],
        tool: str | None = None,
        command_words: Sequence[str] | None = None,
        *,
        error: str = "",
        folder: str = "",
        which: Which = "",
        context: str = "",
    ) -> list[TriggerMatch]:
        """Return notes whose trigger contains a command word; without words, by tool.

        With an ``error``, return the notes that quote a part of it; with a ``folder``, those about
        a path in it. ``which`` restricts the result further.
        """
        from twiceshy.core.trigger import FEWEST_FAILURES, FILES, FORM, REMEDY

        of_note = "FROM trigger_counts f WHERE f.note = t.note AND f.context"
        counted = f"{of_note} NOT IN ('{FORM}', '{REMEDY}')"
        where, bound = [f"t.project IN ({join_marks(projects)})"], list(projects)
        if tool is not None:
            where.append("t.tool IN (?, ?)")
            bound += tool, FILES
        if command_words is not None:
            where.append(f"t.needle IN ({join_marks(command_words)})")
            bound += command_words
        if error:
            where.append("t.echo <> '' AND instr(?, t.echo) > 0")
            bound.append(error)
        if folder:  # paths in this folder: "0" is the sign behind "/"
            where.append("t.tool = ? AND t.needle > ? AND t.needle < ?")
            bound += FILES, f"{folder}/", f"{folder}0"
        if which == "repeated":
            where.append(f"(SELECT sum(failed_calls) {counted}) >= {FEWEST_FAILURES}")
        elif which:
            where.append(_WHICH_CLAUSES[which])
        rows = self._db.execute(
            f"""
            SELECT t.age, t.recent, t.unseen, t.lost_calls, t.lost_ms,
                (SELECT coalesce(sum(failed_calls), 0) {counted}),
                (SELECT coalesce(sum(succeeded_calls), 0) {counted}),
                coalesce(here.failed_calls, 0), coalesce(here.succeeded_calls, 0),
                t.longest_ms, (SELECT coalesce(max(streak), 0) {of_note} <> '{REMEDY}'),
                (SELECT coalesce(sum(succeeded_calls), 0) {of_note} = '{REMEDY}'),
                (SELECT coalesce(sum(count), 0) FROM counters c
                    WHERE c.note = t.note AND c.name = 'recalls'),
                {SELECTED}
            FROM triggers t JOIN notes ON notes.id = t.note
            LEFT JOIN trigger_counts here ON here.note = t.note AND here.context = ?
            WHERE {" AND ".join(where)} AND notes.superseded_by = ''
            ORDER BY notes.sightings DESC, t.age, t.note LIMIT ?
            """,
            (context, *bound, _MOST_LEARNED if which == "learned" else -1),
        ).fetchall()
        return [_build_match(row) for row in rows]

    @explain_errors
    def list_stated_triggers(self, projects: Sequence[str]) -> list[str]:
        """Return the triggers of rules, and of notes that people and agents wrote, as lines."""
        from twiceshy.shell.derive_trigger import read_note_trigger

        found = self._db.execute(
            f"SELECT {SELECTED} FROM triggers t JOIN notes ON notes.id = t.note"
            f" WHERE t.project IN ({join_marks(projects)}) AND notes.superseded_by = ''"
            f" AND (notes.kind = 'rule' OR {_STATED_CLAUSE})",
            list(projects),
        )
        triggers = (read_note_trigger(build_note(row, None)) for row in found)
        return sorted({trigger.to_line() for trigger in triggers if trigger})


def write_trigger(db: sqlite3.Connection, note: Note) -> None:
    """Update or delete the trigger row of a note; an updated row keeps its counts."""
    from twiceshy.core.trigger import stable_quote
    from twiceshy.shell.derive_trigger import read_note_trigger

    told = note.status in SHOWN and (note.kind != "rule" or note.status == "active")
    trigger = read_note_trigger(note) if told else None
    if trigger is None:
        db.execute("DELETE FROM triggers WHERE note = ?", (note.id,))
        return
    db.execute(
        """
        INSERT INTO triggers VALUES (?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0)
        ON CONFLICT DO UPDATE SET project = excluded.project, tool = excluded.tool,
            needle = excluded.needle, echo = excluded.echo
        """,
        (note.id, note.scope.project, trigger.tool, trigger.lookup_word, stable_quote(note)),
    )


def _build_match(row: Sequence[object]) -> TriggerMatch:
    from twiceshy.core.trigger import TriggerMatch, parse_trigger

    *counts, recalls = map(_to_int, row[:_COUNTS])
    lately, calls, stops = counts[:5], counts[5:9], counts[9:]
    note = build_note(row[_COUNTS:], {"recalls": recalls})
    trigger = parse_trigger(note.trigger) if note.trigger else _derive_trigger(note)
    assert trigger is not None  # noqa: S101 - only such notes are in the table
    return TriggerMatch(note, trigger, *calls, *lately, *stops)


def _derive_trigger(note: Note) -> Trigger | None:
    from twiceshy.shell.derive_trigger import read_note_trigger

    return read_note_trigger(note)


def _to_int(value: object) -> int:
    return value if isinstance(value, int) else 0
