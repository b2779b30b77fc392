"""Find notes by trigger, with their counts of failed and successful calls."""

from __future__ import annotations

from twiceshy.core.note import FAILED_CALLS, SHOWN, SUCCEEDED_CALLS
from twiceshy.store.database import Database, explain_errors
from twiceshy.store.rows import COLUMNS, SELECTED, build_note, join_marks

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from twiceshy.core.note import Note
    from twiceshy.core.store import Which
    from twiceshy.core.trigger import TriggerMatch

_MOST_LEARNED = 100  # that are looked at when a session starts
_MOST_ERROR_WORDS = 800  # of an error, those at its end: 1 µs each
VERSION = 4  # raise it when what is found out about a trigger changes
_RECORDED = """t.note, t.line, t.age, t.recent, t.unseen, t.lost_calls, t.lost_ms, t.shortest_ms,
    t.uses, t.program"""
_PROJECT_AT, _SKILL_AT = COLUMNS.index("project"), COLUMNS.index("skill")
_BATCH = 500
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


class _CallCount:
    """What is counted of the calls that a note is about, and how often the note was told."""

    def __init__(self) -> None:
        self.recalls = self.failed = self.succeeded = self.failed_here = self.succeeded_here = 0
        self.remedy = self._streak = self._elsewhere = 0

    @property
    def succeeded_since(self) -> int:
        """Return the successes since the last failure.

        When a call worked on another device is not known: it may be the newest one.
        """
        return self._streak + self._elsewhere

    def add_calls(
        self, context: str, failed: int, succeeded: int, streak: int, *, here: str
    ) -> None:
        """Add the calls of this device in a folder, or of a kind."""
        from twiceshy.core.trigger import FORM, MOVED, REMEDY

        if context == here:
            self.failed_here += failed
            self.succeeded_here += succeeded
        if context == REMEDY:
            self.remedy += succeeded
            return
        self._streak = max(self._streak, streak)
        if context not in (FORM, MOVED):
            self.failed += failed
            self.succeeded += succeeded

    def add_elsewhere(self, name: str, count: int) -> None:
        """Add calls of another device."""
        if name == FAILED_CALLS:
            self.failed += count
        else:
            self.succeeded += count
            self._elsewhere += count


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
            SELECT {_RECORDED} FROM triggers t {_join_notes(which)}
            WHERE {" AND ".join(where)} AND t.line <> ''
            ORDER BY t.sightings DESC, t.age, t.note LIMIT ?
            """,
            (*bound, _MOST_LEARNED if which == "learned" else -1),
        ).fetchall()
        if tool is not None and command_words is not None and not error:
            rows = [row for row in rows if _may_match(row[1], command_words)]
        return self._build_matches(rows, context) if rows else []

    def _build_matches(self, rows: Sequence[Any], context: str) -> list[TriggerMatch]:
        """Build the matches of trigger rows: what a row needs of a note is read for all at once."""
        from twiceshy.core.trigger import TriggerMatch, parse_trigger

        known = {
            note[0]: note
            for note in self._select_among(
                f"SELECT {SELECTED}, notes.fingerprint, notes.seq FROM notes WHERE notes.id",
                [row[0] for row in rows],
            )
        }
        counts, uncounted = self._count_calls(known, context), _CallCount()
        found = []
        for note_id, line, age, recent, unseen, lost, lost_ms, shortest_ms, uses, program in rows:
            if note_id not in known:
                continue  # deleted since
            of = counts.get(note_id, uncounted)
            note = build_note(known[note_id][:-2], {"recalls": of.recalls})
            trigger = parse_trigger(line)
            assert trigger is not None  # noqa: S101 - only such notes are in the table
            calls = of.failed, of.succeeded, of.failed_here, of.succeeded_here
            lately = age, recent, unseen, lost, lost_ms, shortest_ms
            rest = of.succeeded_since, of.remedy, uses, program
            found.append(TriggerMatch(note, trigger, *calls, *lately, *rest))
        return found

    def _count_calls(self, known: Mapping[str, Any], context: str) -> dict[str, _CallCount]:
        """Return what is counted of notes, by id, if anything is.

        The counts of merged duplicates are those of the note, too.
        """
        counts: dict[str, _CallCount] = {}
        owners = {note_id: [note_id] for note_id in known}
        for note_id, same in self._list_duplicates(known):
            owners.setdefault(note_id, []).append(same)
        called = "SELECT note, context, failed_calls, succeeded_calls, streak FROM trigger_counts"
        for note_id, *row in self._select_among(f"{called} WHERE note", list(owners)):
            for one in owners[note_id]:
                counts.setdefault(one, _CallCount()).add_calls(*row, here=context)
        counted = "SELECT note, name, device, count FROM counters WHERE note"
        for note_id, name, device, count in self._select_among(counted, list(owners)):
            if name == "recalls" and note_id in known:
                counts.setdefault(note_id, _CallCount()).recalls += count
            elif name in (FAILED_CALLS, SUCCEEDED_CALLS) and self.device not in ("", device):
                for one in owners[note_id]:
                    counts.setdefault(one, _CallCount()).add_elsewhere(name, count)
        return counts

    def _list_duplicates(self, known: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Yield the ids of other notes that say the same, each with the note that it is counted for."""
        by_content: dict[object, list[str]] = {}
        for note_id, note in known.items():
            by_content.setdefault(_describe_content(note), []).append(note_id)
        own = {note[-1] for note in known.values()}
        prints = list(dict.fromkeys(note[-2] for note in known.values()))
        # from the index alone: most notes have no duplicate
        same = self._select_among("SELECT seq FROM notes WHERE fingerprint", prints)
        others = [seq for (seq,) in same if seq not in own]
        selected = f"SELECT {SELECTED}, notes.fingerprint, notes.seq FROM notes WHERE seq"
        for other in self._select_among(selected, others):
            for note_id in by_content.get(_describe_content(other), ()):
                yield other[0], note_id
        for alike in by_content.values():  # tasks may say the same and both be open
            yield from ((one, other) for one in alike for other in alike if one != other)

    def _select_among(self, selected: str, values: Sequence[object]) -> Iterator[Any]:
        """Yield the rows of a statement that ends in a column, for any of these values in it."""
        for at in range(0, len(values), _BATCH):
            some = values[at : at + _BATCH]
            yield from self._db.execute(f"{selected} IN ({join_marks(some)})", some)

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


def _describe_content(note: Sequence[object]) -> tuple[object, ...]:
    """Return what a note shares with its duplicates, from its columns and its fingerprint."""
    return (note[-2], note[_PROJECT_AT], note[_SKILL_AT])
