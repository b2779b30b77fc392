"""Reading progress of transcripts, calls found in them, and evidence for notes."""

from __future__ import annotations

from twiceshy.core.evidence import RECENT_SESSIONS, Signal
from twiceshy.core.jsontext import parse_json, write_json
from twiceshy.core.moment import DAY
from twiceshy.core.note import FAILED_CALLS, SUCCEEDED_CALLS
from twiceshy.core.retention import COPIES_DAYS
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.session import SessionSources
from twiceshy.core.transcript import CLOSED, TranscriptProgress
from twiceshy.safety.redact import RULES_VERSION
from twiceshy.store.database import Database, explain_errors
from twiceshy.store.evidence import redact_record
from twiceshy.store.merged import list_merged_ids
from twiceshy.store.rows import join_marks

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

_BATCH_SIZE = 500  # SQLite binds no more than 999 values in old versions
_RECENT_MASK = (1 << RECENT_SESSIONS) - 1
_PROGRESS_COLUMNS = "path, session, position, state, at"


class SqliteLearning(Database):
    """Stores transcript progress, and the evidence found in transcripts."""

    @explain_errors
    def list_progress(self, path: str = "", *, before: int = 0) -> list[TranscriptProgress]:
        """Return the progress of a transcript, or transcripts unfinished and untouched since a time."""
        if path:
            known = self._db.execute(
                f"SELECT {_PROGRESS_COLUMNS} FROM transcript_progress WHERE path = ?", (path,)
            )
            return [TranscriptProgress(*row) for row in known]
        begun = self._db.execute(
            f"SELECT {_PROGRESS_COLUMNS} FROM transcript_progress"
            " WHERE substr(state, 1, ?) <> ? AND at < ? ORDER BY at, path",
            (len(CLOSED), CLOSED, before),
        )
        unread = self._db.execute(
            "SELECT transcript, id, '', '', seen_at FROM sessions s"
            " WHERE transcript <> '' AND seen_at < ?"
            " AND NOT EXISTS (SELECT 1 FROM transcript_progress r WHERE r.session = s.id) ORDER BY seen_at",
            (before,),
        )
        return [TranscriptProgress(*row) for row in (*begun, *unread)]

    @explain_errors
    def list_session_sources(self) -> list[SessionSources]:
        """Return the sessions with a prompt or a reading, with what was read of each."""
        found = self._db.execute(
            "SELECT s.id, s.runtime, s.seen_at, r.path FROM sessions s"
            " LEFT JOIN transcript_progress r ON r.session = s.id"
            " WHERE s.prompts > 0 OR r.path IS NOT NULL ORDER BY s.id, r.path"
        )
        paths: dict[tuple[str, str, int], list[str]] = {}
        for *about, path in found:
            paths.setdefault((about[0], about[1], about[2]), []).extend([path] if path else [])
        return [SessionSources(*of, tuple(read)) for of, read in paths.items()]

    def _write_progress(self, reading: TranscriptProgress) -> None:
        safe = reading.but(state=_redact_state(reading.state, self._redact_text))
        values = (*safe.fields().values(), RULES_VERSION)
        self._db.execute(
            f"INSERT OR REPLACE INTO transcript_progress VALUES ({join_marks(values)})", values
        )

    def register_calls(self, calls: Sequence[str], session: str, *, project: str) -> set[str]:
        """Return the calls seen before; assign the new calls to this session."""
        known: set[str] = set()
        with self.change():
            self._start_reading(session, project)
            for at in range(0, len(calls), _BATCH_SIZE):
                some = calls[at : at + _BATCH_SIZE]
                rows = self._db.execute(
                    f"SELECT id FROM seen_calls WHERE id IN ({join_marks(some)})", some
                )
                known.update(row[0] for row in rows)
            self._db.executemany(
                "INSERT OR IGNORE INTO seen_calls VALUES (?, ?, ?)",
                [(call, session, self.now()) for call in calls if call not in known],
            )
        return known

    def _start_reading(self, session: str, project: str) -> None:
        known = "SELECT 1 FROM transcript_progress WHERE session = ? LIMIT 1"
        if self._db.execute(known, (session,)).fetchone():
            return
        # what was the last session of the project is the one before now
        aged = f"age = age + 1, recent = (recent << 1) & {_RECENT_MASK}"
        aged += f", uses = (uses << 1) & {_RECENT_MASK}"
        self._db.execute(
            f"UPDATE triggers SET {aged} WHERE project IN (?, ?)", (project, EVERYWHERE)
        )
        # nobody copies a call any more that is so old
        before = self.now(believed=True) - COPIES_DAYS * DAY
        self._db.execute("DELETE FROM seen_calls WHERE at < ?", (before,))

    def mark_programs(self, programs: Iterable[str], *, project: str) -> None:
        """Record that the newest session of a project used these programs."""
        with self.change():
            self._db.executemany(
                "UPDATE triggers SET uses = uses | 1 WHERE program = ? AND project IN (?, ?)",
                [(program, project, EVERYWHERE) for program in programs],
            )

    def count_call(
        self, notes: Iterable[str], context: str, *, failed: bool, ran_ms: int = 0
    ) -> Mapping[str, int]:
        """Count a failed or successful call for these notes in a context."""
        notes, failures, successes = list(notes), int(failed), int(not failed)
        with self.change():
            self._db.executemany(
                """
                INSERT INTO trigger_counts VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
                    failed_calls = failed_calls + excluded.failed_calls,
                    succeeded_calls = succeeded_calls + excluded.succeeded_calls,
                    streak = CASE WHEN excluded.failed_calls THEN 0 ELSE streak + 1 END
                """,
                [(note, context, failures, successes, successes) for note in notes],
            )
            if failed and ran_ms:
                self._db.execute(
                    "UPDATE triggers SET shortest_ms = iif(shortest_ms, min(shortest_ms, ?1), ?1)"
                    f" WHERE note IN ({join_marks(notes)})",
                    (ran_ms, *notes),
                )
            self._total_calls(notes)
            streaks = (
                f"SELECT note, streak FROM trigger_counts WHERE note IN ({join_marks(notes)})"
            )
            return dict(self._db.execute(f"{streaks} AND context = ?", (*notes, context)))

    def _total_calls(self, notes: Sequence[str]) -> None:
        """Write the calls of this device as counters, which other devices receive."""
        from twiceshy.core.trigger import FORM, REMEDY

        for column in (FAILED_CALLS, SUCCEEDED_CALLS):
            self._db.execute(
                f"""
                INSERT INTO counters (note, name, device, count)
                SELECT note, ?, ?, sum({column}) AS calls FROM trigger_counts
                WHERE note IN ({join_marks(notes)}) AND context NOT IN ('{FORM}', '{REMEDY}')
                GROUP BY note HAVING calls > 0
                ON CONFLICT DO UPDATE SET count = max(count, excluded.count)
                """,
                (column, self.device, *notes),
            )

    def _write_signal(self, signal: Signal) -> None:
        """Write a signal, or update the mistake and the correcting call of a known signal."""
        safe = redact_record(signal, self._redact_text)
        values = (
            *safe.but(mistake=self._redact_text(signal.mistake)).fields().values(),
            RULES_VERSION,
        )
        self._db.execute(
            f"""
            INSERT INTO signals VALUES ({join_marks(values)}) ON CONFLICT DO UPDATE SET
                mistake = excluded.mistake,
                pair = CASE WHEN excluded.pair <> '' THEN excluded.pair ELSE pair END
            """,
            values,
        )

    def record_evidence(
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
        """Record the evidence of a note; True if signal or session was evidence before."""
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
                UPDATE triggers SET recent = recent | 1, uses = uses | 1, unseen = unseen + ?,
                    lost_calls = lost_calls + ?, lost_ms = lost_ms + ? WHERE note = ?
                """,
                (unseen, lost_calls, lost_ms, note),
            )
            return again

    @explain_errors
    def list_evidence(self, note: str) -> list[tuple[str, str, int]]:
        """Return signal, session and time of a note's evidence, newest first.

        The evidence of merged duplicates counts as evidence of the note.
        """
        same = list_merged_ids(self._db, note)
        found = self._db.execute(
            "SELECT signal, session, max(at) FROM evidence"
            f" WHERE note IN ({join_marks(same)})"
            " GROUP BY signal, session ORDER BY 3 DESC, signal",
            same,
        )
        return [(row[0], row[1], row[2]) for row in found]


def _redact_state(state: str, gate: Callable[[str], str]) -> str:
    """Redact every text in the saved state of a watch, including nested JSON.

    The gate must see texts unescaped: behind a backslash it misses a secret, or takes a quote for
    part of a secret, which would leave unreadable JSON.
    """
    try:
        return write_json(_redact_value(parse_json(state), gate))
    except (ValueError, RecursionError):
        return gate(state)


def _redact_value(value: object, gate: Callable[[str], str]) -> object:
    match value:
        case str() if value.startswith("{"):
            return _redact_state(value, gate)
        case str():
            return gate(value)
        case list():
            return [_redact_value(each, gate) for each in value]
        case dict():
            return {gate(name): _redact_value(each, gate) for name, each in value.items()}
        case _:
            return value
