"""How far transcripts were read, which calls were met in them, and what notes were learned from them."""

from __future__ import annotations

from twiceshy.core.evidence import Signal
from twiceshy.core.jsontext import parse, write
from twiceshy.core.moment import DAY
from twiceshy.core.retention import COPIES_DAYS
from twiceshy.core.transcript_progress import CLOSED, Reading
from twiceshy.safety.redact import RULES_VERSION
from twiceshy.store.database import SqliteDatabase, explain_errors
from twiceshy.store.evidence import redacted
from twiceshy.store.rows import marks

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

_AT_ONCE = 500  # SQLite binds no more than 999 values in old versions
_BITS = (1 << 31) - 1
_READING = "path, session, position, state, at"


class SqliteLearning(SqliteDatabase):
    """Transcripts that were read, and the evidence for notes that was found in them."""

    @explain_errors
    def reading(self, path: str) -> Reading | None:
        """Return how far a transcript was read."""
        found = self._db.execute(f"SELECT {_READING} FROM readings WHERE path = ?", (path,))
        row = found.fetchone()
        return Reading(*row) if row else None

    @explain_errors
    def unfinished(self, *, before: int) -> list[Reading]:
        """Return the transcripts that were not read to their end, and not touched since then.

        Those of which nothing was read come last, from their beginning.
        """
        begun = self._db.execute(
            f"SELECT {_READING} FROM readings"
            " WHERE substr(state, 1, ?) <> ? AND at < ? ORDER BY at, path",
            (len(CLOSED), CLOSED, before),
        )
        unread = self._db.execute(
            "SELECT transcript, id, '', '', seen_at FROM sessions s"
            " WHERE transcript <> '' AND seen_at < ?"
            " AND NOT EXISTS (SELECT 1 FROM readings r WHERE r.session = s.id) ORDER BY seen_at",
            (before,),
        )
        return [Reading(*row) for row in (*begun, *unread)]

    def _write_reading(self, reading: Reading) -> None:
        safe = reading.but(state=_gated_state(reading.state, self._gate))
        values = (*safe.fields().values(), RULES_VERSION)
        self._db.execute(f"INSERT OR REPLACE INTO readings VALUES ({marks(values)})", values)

    def copied(self, calls: Sequence[str], session: str, *, project: str) -> set[str]:
        """Return which calls of a session were met before; the others are its own from now on.

        A session of which nothing was read yet makes what happened in its project older.
        """
        known: set[str] = set()
        with self.change():
            self._meet(session, project)
            for at in range(0, len(calls), _AT_ONCE):
                some = calls[at : at + _AT_ONCE]
                rows = self._db.execute(f"SELECT id FROM calls WHERE id IN ({marks(some)})", some)
                known.update(row[0] for row in rows)
            self._db.executemany(
                "INSERT OR IGNORE INTO calls VALUES (?, ?, ?)",
                [(call, session, self.now()) for call in calls if call not in known],
            )
        return known

    def _meet(self, session: str, project: str) -> None:
        known = "SELECT 1 FROM readings WHERE session = ? LIMIT 1"
        if self._db.execute(known, (session,)).fetchone():
            return
        # what was the last session of the project is the one before now
        aged = f"age = age + 1, recent = (recent << 1) & {_BITS}"
        self._db.execute(f"UPDATE triggers SET {aged} WHERE project = ?", (project,))
        # nobody copies a call any more that is so old
        self._db.execute("DELETE FROM calls WHERE at < ?", (self.now() - COPIES_DAYS * DAY,))

    def count_call(self, notes: Iterable[str], context: str, *, failed: bool) -> Mapping[str, int]:
        """Count that a call which these notes are about failed, or worked, in some context.

        Return how often such a call worked there, for each note, since it failed last.
        """
        notes, right, wrong = list(notes), int(failed), int(not failed)
        with self.change():
            self._db.executemany(
                """
                INSERT INTO firings VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
                    right = right + excluded.right, wrong = wrong + excluded.wrong,
                    streak = CASE WHEN excluded.right THEN 0 ELSE streak + 1 END
                """,
                [(note, context, right, wrong, wrong) for note in notes],
            )
            streaks = f"SELECT note, streak FROM firings WHERE note IN ({marks(notes)})"
            return dict(self._db.execute(f"{streaks} AND context = ?", (*notes, context)))

    @explain_errors
    def signals_of(
        self,
        project: str = "",
        kind: str = "",
        *,
        sessions: Sequence[str] = (),
        mistakes: Sequence[str] = (),
        keys: Sequence[str] = (),
        limit: int = 50,
    ) -> list[Signal]:
        """Return what of one kind was observed in a project, and these other signals, last first.

        Others are those of some sessions, those of some mistakes, and those with some keys.
        """
        asked: dict[str, Sequence[object]] = {
            "(project = ? AND kind = ?)": (project, kind) if kind else (),
            f"session IN ({marks(sessions)})": sessions,
            f"(mistake <> '' AND mistake IN ({marks(mistakes)}))": mistakes,
            f"key IN ({marks(keys)})": keys,
        }
        given = {where: values for where, values in asked.items() if values}
        found = self._db.execute(
            f"SELECT {', '.join(Signal.__fields__)} FROM signals WHERE {' OR '.join(given) or '0'}"
            " ORDER BY at DESC, key LIMIT ?",
            [*(value for values in given.values() for value in values), limit],
        )
        return [Signal(*row) for row in found]

    def _write_signal(self, signal: Signal) -> None:
        """Write a signal, or say of a known one which mistake it was, and which call put it right."""
        safe = redacted(signal, self._gate)
        values = (*safe.but(mistake=self._gate(signal.mistake)).fields().values(), RULES_VERSION)
        self._db.execute(
            f"""
            INSERT INTO signals VALUES ({marks(values)}) ON CONFLICT DO UPDATE SET
                mistake = excluded.mistake,
                pair = CASE WHEN excluded.pair <> '' THEN excluded.pair ELSE pair END
            """,
            values,
        )

    def attest(
        self,
        note: str,
        signal: str,
        session: str,
        *,
        at: int,
        unseen: bool = False,
        lost_calls: int = 0,
        lost_ms: int = 0,
    ) -> bool:
        """Remember what a note was learned from; True if that, or another call of the session, was."""
        with self.change():
            taught = "SELECT 1 FROM evidence WHERE note = ? AND session = ? LIMIT 1"
            again = self._db.execute(taught, (note, session)).fetchone() is not None
            new = self._db.execute(
                "INSERT OR IGNORE INTO evidence VALUES (?, ?, ?, ?)", (note, signal, session, at)
            )
            if not new.rowcount:
                return True
            # the mistake of the note was made in the newest session, and cost this much
            self._db.execute(
                """
                UPDATE triggers SET recent = recent | 1, unseen = unseen + ?,
                    lost_calls = lost_calls + ?, lost_ms = lost_ms + ? WHERE note = ?
                """,
                (unseen, lost_calls, lost_ms, note),
            )
            return again

    @explain_errors
    def evidence(self, note: str) -> list[tuple[str, str, int]]:
        """Return signal, session and time of all that a note was learned from, the newest first."""
        found = self._db.execute(
            "SELECT signal, session, at FROM evidence WHERE note = ? ORDER BY at DESC, signal",
            (note,),
        )
        return [(row[0], row[1], row[2]) for row in found]


def _gated_state(state: str, gate: Callable[[str], str]) -> str:
    """Return the state of a watch with every text in it through the gate, also what is JSON itself.

    The gate must see texts as they were: behind a backslash it misses a secret, and takes a quote for
    a part of one, which nobody could read again.
    """
    try:
        return write(_through(parse(state), gate))
    except (ValueError, RecursionError):
        return gate(state)


def _through(value: object, gate: Callable[[str], str]) -> object:
    match value:
        case str() if value.startswith("{"):
            return _gated_state(value, gate)
        case str():
            return gate(value)
        case list():
            return [_through(each, gate) for each in value]
        case dict():
            return {gate(name): _through(each, gate) for name, each in value.items()}
        case _:
            return value
