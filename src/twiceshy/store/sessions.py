"""Sessions: their place, intents, skill uses, and news from other sessions."""

from __future__ import annotations

from twiceshy.core.session import (
    INTENT_MS,
    LONGEST_INTENT,
    MOST_INTENTS,
    Intent,
    Session,
    SkillUse,
)
from twiceshy.store.database import explain_errors
from twiceshy.store.notes import SqliteNotes
from twiceshy.store.rows import join_marks

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.session import ChangedNote
    from twiceshy.core.store import Kept

# What people and agents say on purpose; what was merely seen again is no news.
_NEWS_OPERATIONS = ("write", "edit", "restore", "promote", "move")
_MAX_CHANGES = (
    200  # changes that are looked at; whoever was away for longer is told of the last ones
)


_SLACK_MS = 60_000  # between the clocks of a file system and of a hook
_TURN_MS = 3_600_000  # an agent may work for so long after the last that was heard of it


class SqliteSessions(SqliteNotes):
    """Stores sessions, and finds the news of other sessions."""

    @explain_errors
    def session(
        self,
        session: str = "",
        *,
        call: str | None = None,
        projects: Sequence[str] = (),
        at: int = 0,
    ) -> Session | None:
        """Return a session by id, the last one to announce a call a moment ago, or one that ran ``at`` a time."""
        found = "sessions s WHERE s.id = ?"
        values: list[object] = [session]
        if call is not None:
            within = f"AND s.project IN ({join_marks(projects)})" if projects else ""
            found = "intents i JOIN sessions s ON s.id = i.session WHERE i.call = ? AND i.at >= ?"
            found = f"{found} {within} ORDER BY i.at DESC LIMIT 1"
            values = [call, self.now() - INTENT_MS, *projects]
        elif at:
            found = "sessions s WHERE s.started_at <= ? AND s.seen_at >= ? LIMIT 1"
            values = [at + _SLACK_MS, at - _TURN_MS]
        row = self._db.execute(f"SELECT s.* FROM {found}", values).fetchone()
        return Session(*row) if row else None

    @explain_errors
    def find_intent(self, session: str) -> str:
        """Return the known intent of a session; empty if unknown."""
        row = self._db.execute(
            "SELECT intent FROM intents WHERE session = ? AND call = ''", (session,)
        ).fetchone()
        return str(row[0]) if row else ""

    @explain_errors
    def list_skill_uses(self, session: str, agent: str, skill: str = "") -> list[SkillUse]:
        """Return the skill uses of an agent's conversation, newest first."""
        found = self._db.execute(
            "SELECT * FROM skill_uses WHERE session = ? AND agent = ? AND ? IN ('', skill)"
            " ORDER BY at DESC, skill",
            (session, agent, skill),
        )
        return [SkillUse(*row) for row in found]

    @explain_errors
    def read_journal_clock(self) -> int:
        """Return this device's journal clock; later entries have a higher clock."""
        row = self._db.execute("SELECT value FROM meta WHERE key = 'clock'").fetchone()
        return int(row[0]) if row else 0

    @explain_errors
    def list_changed_notes(
        self,
        projects: Sequence[str],
        *,
        since: int,
        excluded_session: str = "",
        kinds: Sequence[str],
    ) -> list[ChangedNote]:
        """Return notes written or edited since a clock, newest first."""
        from twiceshy.core.note import SHOWN
        from twiceshy.core.session import ChangedNote

        found = self._db.execute(
            f"""
            SELECT object, max(at), max(op = 'write') FROM notes JOIN (
                SELECT j.object, j.at, j.op, j.batch, j.clock AS mark FROM journal j
                WHERE j.clock > ? AND j.device = ? AND j.op IN ({join_marks(_NEWS_OPERATIONS)})
                UNION ALL
                SELECT j.object, j.at, j.op, j.batch, a.arrived FROM arrivals a
                    JOIN journal j ON j.clock = a.clock AND j.device = a.device
                WHERE a.arrived > ? AND j.op IN ({join_marks(_NEWS_OPERATIONS)})
            ) ON id = object
            WHERE status IN ({join_marks(SHOWN)}) AND kind IN ({join_marks(kinds)})
                AND project IN ({join_marks(projects)})
                AND batch NOT IN (SELECT batch FROM authors WHERE session = ?)
            GROUP BY object ORDER BY max(mark) DESC, object LIMIT ?
            """,
            (
                *(since, self.device, *_NEWS_OPERATIONS, since, *_NEWS_OPERATIONS),
                *(*SHOWN, *kinds, *projects, excluded_session, _MAX_CHANGES),
            ),
        ).fetchall()
        notes = ((self.note(object_id), at, new) for object_id, at, new in found)
        changed = [ChangedNote(note, at, bool(new)) for note, at, new in notes if note]
        if not self.for_agents:
            return changed
        told = {note.id for note in self._keep_told([change.note for change in changed])}
        return [change for change in changed if change.note.id in told]

    def save_records(self, *records: Kept) -> None:
        """Save records, replacing earlier versions."""
        with self.change():
            for record in records:
                self._write_record(record)

    def _write_record(self, record: Kept) -> None:
        match record:
            case Session():
                self._write_session(record)
            case SkillUse():
                self._replace_row("skill_uses", list(record.fields().values()))
            case Intent():
                self._write_intent(record)
            case _:
                raise TypeError(f"this store keeps no {type(record).__name__}")

    def _replace_row(self, table: str, values: Sequence[object]) -> None:
        self._db.execute(f"INSERT OR REPLACE INTO {table} VALUES ({join_marks(values)})", values)

    def _write_session(self, session: Session) -> None:
        """Write a session; counts raised meanwhile by other processes stay."""
        before = self.session(session.id)
        if not before or (before.root, before.transcript) != (session.root, session.transcript):
            root, transcript = (
                self._redact_text(session.root),
                self._redact_text(session.transcript),
            )
            session = session.but(root=root, transcript=transcript)
        values = list(session.fields().values())
        self._db.execute(
            f"""
            INSERT INTO sessions VALUES ({join_marks(values)}) ON CONFLICT DO UPDATE SET
                runtime = excluded.runtime, project = excluded.project, root = excluded.root,
                transcript = excluded.transcript, started_at = excluded.started_at,
                seen_at = max(seen_at, excluded.seen_at), prompts = max(prompts, excluded.prompts),
                context_percent =
                    CASE WHEN excluded.compactions > compactions THEN 0 ELSE context_percent END,
                compactions = max(compactions, excluded.compactions),
                changes_seen = max(changes_seen, excluded.changes_seen)
            """,
            values,
        )

    def _write_intent(self, intent: Intent) -> None:
        """Write an intent; delete the oldest intents beyond the maximum."""
        from twiceshy.core.text import keep_both_ends
        from twiceshy.safety.redact import RULES_VERSION, redact_ends

        text = intent.text.encode("utf-8", "replace").decode()
        safe = redact_ends(text, self._redact_text, read=4 * LONGEST_INTENT)
        at, safe = self.now(), keep_both_ends(safe, most=LONGEST_INTENT)
        self._replace_row("intents", (intent.session, intent.call, safe, at, RULES_VERSION))
        self._db.execute("DELETE FROM intents WHERE call <> '' AND at < ?", (at - INTENT_MS,))
        self._db.execute(
            """
            DELETE FROM intents WHERE (session, call) NOT IN
                (SELECT session, call FROM intents ORDER BY at DESC, session, call LIMIT ?)
            """,
            (MOST_INTENTS,),
        )
