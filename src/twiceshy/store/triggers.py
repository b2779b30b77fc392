"""Find notes by trigger, with their counts of failed and successful calls."""

from __future__ import annotations

from twiceshy.core.note import FAILED_CALLS, SHOWN, SUCCEEDED_CALLS
from twiceshy.store.database import Database, explain_errors
from twiceshy.store.rows import SELECTED, build_note, join_marks

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.core.store import Which
    from twiceshy.core.trigger import TriggerMatch

_MOST_LEARNED = 100  # that are looked at when a session starts
_MOST_ERROR_WORDS = 800  # of an error, those at its end: 1 µs each
VERSION = 4  # raise it when what is found out about a trigger changes
_COUNTED = 14  # columns behind the line of a trigger: the fields of a match in their order
_ABSENT = "!"  # before words of a trigger line that a call must not have
# Counts of merged duplicates are those of the note: a merge leaves them under the id of the duplicate.
_SAME = "s.fingerprint = {0}.fingerprint AND +s.project = {0}.project AND +s.skill = {0}.skill"
_OTHER_DEVICE = "f.device <> (SELECT value FROM meta WHERE key = 'device')"
_WHICH_CLAUSES: dict[Which, str] = {
    "unseen": "t.unseen > 0",
    "learned": "t.learned",
    # a learned trigger names the category of its mistake behind the tool: "Bash/usage git stauts"
    "stated": "(notes.kind = 'rule' OR instr(substr(t.line, 1, instr(t.line, ' ')), '/') = 0)",
}


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
        """See ``HookStore.match_triggers``."""
        if error:
            quoting = self._find_quoting(projects, tool, error, command_words or ())
            if not quoting:
                return []
            # by their keys: with a project beside them, all notes of the project would be read
            where, bound = [f"t.note IN ({join_marks(quoting)})"], quoting
        else:
            where, bound = _build_place(projects, tool, command_words, folder)
        if which:
            where.append(_WHICH_CLAUSES.get(which) or _fail_often())
        rows = self._db.execute(
            f"""
            WITH chosen AS ( -- before their counts and texts are read
                SELECT t.note FROM triggers t {_join_notes(which)}
                WHERE {" AND ".join(where)} AND t.line <> ''
                ORDER BY t.sightings DESC, t.age, t.note LIMIT ?
            ), {_build_counts()}
            SELECT t.line, coalesce(calls.failed, 0) + coalesce(elsewhere.failed, 0),
                coalesce(calls.succeeded, 0) + coalesce(elsewhere.succeeded, 0),
                coalesce(calls.failed_here, 0), coalesce(calls.succeeded_here, 0),
                t.age, t.recent, t.unseen, t.lost_calls, t.lost_ms, t.shortest_ms,
                -- when a call worked on another device is not known: it may be the newest one
                coalesce(calls.streak, 0) + coalesce(elsewhere.succeeded, 0),
                coalesce(calls.remedy, 0), t.uses, t.program,
                (SELECT coalesce(sum(count), 0) FROM counters c
                    WHERE c.note = t.note AND c.name = 'recalls'),
                {SELECTED}
            FROM chosen CROSS JOIN triggers t ON t.note = chosen.note
            CROSS JOIN notes ON notes.id = t.note
            LEFT JOIN calls ON calls.note = chosen.note
            LEFT JOIN elsewhere ON elsewhere.note = chosen.note
            ORDER BY t.sightings DESC, t.age, t.note
            """,
            (*bound, _MOST_LEARNED if which == "learned" else -1, context, context),
        ).fetchall()
        if tool is not None and command_words is not None and not error:
            rows = [row for row in rows if _may_match(row[0], command_words)]
        found = [_build_match(row) for row in rows]
        if not self.for_agents:
            return found
        told = {note.id for note in self._keep_told([match.note for match in found])}
        return [match for match in found if match.note.id in told]

    def _find_quoting(
        self,
        projects: Sequence[str],
        tool: str | None,
        error: str,
        command_words: Sequence[str],
    ) -> list[str]:
        """Return the ids of notes that quote a part of an error, about a call that shares a word.

        Most lessons of a tool quote the same few errors: the call tells which are worth reading.
        """
        from twiceshy.core.trigger import FILES, split_letters

        words = list(dict.fromkeys(reversed(split_letters(error))))[:_MOST_ERROR_WORDS]
        rows = self._db.execute(
            f"""
            SELECT note, echo, line FROM triggers WHERE project IN ({join_marks(projects)})
                AND echo_word <> '' AND echo_word IN ({join_marks(words)}) AND +tool IN (?, ?)
            """,
            (*projects, *words, tool, FILES),
        )
        return [
            note
            for note, echo, line in rows
            if echo in error and _may_share_word(line, command_words)
        ]


def write_trigger(db: sqlite3.Connection, note: Note) -> None:
    """Update or delete the trigger row of a note; an updated row keeps its counts."""
    from twiceshy.core.trigger import longest_word, stable_quote
    from twiceshy.shell.derive_trigger import find_program, read_note_trigger

    told = note.status in SHOWN and (note.kind != "rule" or note.status == "active")
    current = told and not note.superseded_by
    trigger, echo = read_note_trigger(note) if current else None, stable_quote(note)
    if trigger is None:
        db.execute("DELETE FROM triggers WHERE note = ?", (note.id,))
        return
    db.execute(
        """
        INSERT INTO triggers VALUES (?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0, ?, 0, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET project = excluded.project, tool = excluded.tool,
            needle = excluded.needle, echo = excluded.echo, program = excluded.program,
            line = excluded.line, echo_word = excluded.echo_word,
            learned = excluded.learned, sightings = excluded.sightings
        """,
        (
            *(note.id, note.scope.project, trigger.tool, trigger.lookup_word, echo),
            find_program(note, trigger),
            *(note.trigger or trigger.to_line(), longest_word(echo)),
            *(note.kind == "lesson" and note.source == "detector", note.sightings),
        ),
    )


def _build_place(
    projects: Sequence[str],
    tool: str | None,
    command_words: Sequence[str] | None,
    folder: str,
) -> tuple[list[str], list[str]]:
    """Return the conditions of projects, a tool, command words and a folder, with their values."""
    from twiceshy.core.trigger import FILES

    where, bound = [f"t.project IN ({join_marks(projects)})"], list(projects)
    if tool is not None:
        where.append("t.tool IN (?, ?)")
        bound += tool, FILES
    if command_words is not None:
        where.append(f"t.needle IN ({join_marks(command_words)})")
        bound += command_words
    if folder:  # paths in this folder: "0" is the sign behind "/"
        where.append("t.tool = ? AND t.needle > ? AND t.needle < ?")
        bound += FILES, f"{folder}/", f"{folder}0"
    return where, bound


def _join_notes(which: Which) -> str:
    """Return the join with the notes if they are asked: each lies on a page of its own."""
    return "JOIN notes ON notes.id = t.note" if which not in ("", "learned", "unseen") else ""


def _build_counts() -> str:
    """Return the tables of what is counted of each chosen note.

    The counts are read once for all notes: most have no duplicate, and many have no counts.
    """
    from twiceshy.core.trigger import REMEDY

    return f"""
    same AS MATERIALIZED (
        SELECT n.id AS note, s.id FROM chosen CROSS JOIN notes n ON n.id = chosen.note
        CROSS JOIN notes s ON {_SAME.format("n")}
    ), calls AS MATERIALIZED (
        SELECT same.note, sum(failed_calls * {_is_plain_call()}) AS failed,
            sum(succeeded_calls * {_is_plain_call()}) AS succeeded,
            sum(failed_calls * (context = ?)) AS failed_here,
            sum(succeeded_calls * (context = ?)) AS succeeded_here,
            max(streak * (context <> '{REMEDY}')) AS streak,
            sum(succeeded_calls * (context = '{REMEDY}')) AS remedy
        FROM same CROSS JOIN trigger_counts f ON f.note = same.id GROUP BY same.note
    ), elsewhere AS MATERIALIZED (
        SELECT same.note, sum(count * (name = '{FAILED_CALLS}')) AS failed,
            sum(count * (name = '{SUCCEEDED_CALLS}')) AS succeeded
        FROM same CROSS JOIN counters f ON f.note = same.id
        WHERE f.name IN ('{FAILED_CALLS}', '{SUCCEEDED_CALLS}') AND {_OTHER_DEVICE}
        GROUP BY same.note
    )
    """


def _fail_often() -> str:
    """Return the condition for lessons that may stop a call."""
    from twiceshy.core.trigger import FEWEST_FAILURES

    same = f"CROSS JOIN {{}} f ON f.note = s.id WHERE {_SAME.format('notes')}"
    calls = f"SELECT coalesce(sum(failed_calls), 0) FROM notes s {same} AND {_is_plain_call()}"
    others = f"SELECT coalesce(sum(count), 0) FROM notes s {same} AND {_OTHER_DEVICE}"
    return (
        f"({calls.format('trigger_counts')})"
        f" + ({others.format('counters')} AND f.name = '{FAILED_CALLS}') >= {FEWEST_FAILURES}"
    )


def _is_plain_call() -> str:
    """Return the condition for counts of calls as they are, in whatever folder."""
    from twiceshy.core.trigger import FORM, MOVED, REMEDY

    return f"(context NOT IN ('{FORM}', '{MOVED}', '{REMEDY}'))"


def _may_match(line: str, command_words: Sequence[str]) -> bool:
    """False only if a call lacks a word of a trigger line."""
    words = line.split(" ")[1:]
    return all(word in command_words for word in words if word[:1] != _ABSENT)


def _may_share_word(line: str, command_words: Sequence[str]) -> bool:
    """False only if a call has no word of a trigger line, which names no path."""
    return any("/" in word or word in command_words for word in line.split(" ")[1:])


def _build_match(row: Sequence[object]) -> TriggerMatch:
    from twiceshy.core.trigger import TriggerMatch, parse_trigger

    recalls = row[1 + _COUNTED]
    note = build_note(row[2 + _COUNTED :], {"recalls": _to_int(recalls)})
    trigger = parse_trigger(str(row[0]))
    assert trigger is not None  # noqa: S101 - only such notes are in the table
    return TriggerMatch(note, trigger, *row[1 : 1 + _COUNTED])  # type: ignore[arg-type]  # a row has the types of its columns


def _to_int(value: object) -> int:
    return value if isinstance(value, int) else 0
