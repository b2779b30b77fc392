"""What was observed: signals, exposures, prompts and episodes, each kept once by its key."""

from __future__ import annotations

import _sqlite3 as sqlite3

from twiceshy.core.errors import BusyError
from twiceshy.core.evidence import Episode, Exposure, Signal
from twiceshy.core.session import Prompt, Session
from twiceshy.store import spool
from twiceshy.store.connect import explain
from twiceshy.store.database import SqliteDatabase, explain_errors
from twiceshy.store.rows import LISTS, gated, load_list, marks

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twiceshy.core.store import Acknowledged, Observed

# What is raised for a value of a type that a column does not take.
_MISFITS = (
    sqlite3.IntegrityError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
    TypeError,
    ValueError,
)
_ALL = -1  # as a limit
_CLASSES: dict[str, type[Observed]] = {
    "signal": Signal,
    "exposure": Exposure,
    "episode": Episode,
    "prompt": Prompt,
}


class SqliteEvidence(SqliteDatabase):
    """Keeps observations, in the spool while the database is busy."""

    _pending: Sequence[Observed] = ()  # what is being captured

    def capture(self, *records: Observed) -> Acknowledged:
        """Keep what was observed; when the store is busy, spool it for the next one to come."""
        self._pending = [redacted(record, self._gate) for record in records]
        try:
            with self.change():
                for record in self._pending:
                    self._observe(record)
        except BusyError:
            self.set_down()
            return "spooled"
        self._pending = ()
        return "stored"

    def set_down(self) -> None:
        """Leave what is being captured in the spool, because there is no time to wait."""
        try:
            while self._pending:
                spool.append(self._spool, to_line(self._pending[0]))
                self._pending = self._pending[1:]
        except OSError as error:
            raise explain(error, self._spool) from error

    @explain_errors
    def exposures(
        self, *, session: str = "", note: str = "", key: str = "", limit: int | None = None
    ) -> list[Exposure]:
        """Return what a session was shown or kept from, who was shown a note, or one by its key.

        The last comes first.
        """
        asked = {"session": session, "note": note, "key": key}
        given = {name: value for name, value in asked.items() if value}
        where = " AND ".join(f"{name} = ?" for name in given) or "1"
        found = self._db.execute(
            f"SELECT * FROM exposures WHERE {where} ORDER BY at DESC, key LIMIT ?",
            (*given.values(), _ALL if limit is None else limit),
        )
        return [Exposure(*row).but(withheld=bool(row[-1])) for row in found]

    @explain_errors
    def episodes(
        self,
        projects: Sequence[str] | None = None,
        *,
        kinds: Sequence[str],
        since: int = 0,
        limit: int | None = 20,
    ) -> list[Episode]:
        """Return the stretches of work, of some projects or all, that ended since then, last first."""
        within = "1" if projects is None else f"project IN ({marks(projects)})"
        found = self._db.execute(
            f"""
            SELECT {", ".join(Episode.__fields__)} FROM episodes
            WHERE {within} AND ended_at >= ? AND kind IN ({marks(kinds)})
            ORDER BY ended_at DESC, id DESC LIMIT ?
            """,
            (*(projects or ()), since, *kinds, _ALL if limit is None else limit),
        )
        return [_episode(row) for row in found]

    def _observe(self, record: Observed) -> None:
        """Insert a record, unless its key is known; a prompt is counted, an episode recorded."""
        if isinstance(record, Prompt):
            self._count(record)
        elif isinstance(record, Signal):
            from twiceshy.safety.redact import RULES_VERSION

            self._insert("signals", [*record.fields().values(), RULES_VERSION])
        elif isinstance(record, Exposure):
            self._insert("exposures", list(record.fields().values()))
        else:
            self._write_episode(record)

    def _insert(self, table: str, values: Sequence[object]) -> bool:
        statement = f"INSERT OR IGNORE INTO {table} VALUES ({marks(values)})"
        return self._db.execute(statement, values).rowcount > 0

    def _count(self, prompt: Prompt) -> None:
        """Count a prompt in its session, which is written down if nobody has."""
        at = prompt.at
        if not self._insert("calls", (f"prompt/{prompt.key}", prompt.session, at)):
            return
        place = (prompt.session, prompt.runtime, prompt.project, prompt.root, prompt.transcript)
        new = Session(*place, started_at=at, seen_at=at, era=prompt.era)
        self._insert("sessions", list(new.fields().values()))
        self._db.execute(
            "UPDATE sessions SET prompts = prompts + 1, seen_at = max(seen_at, ?) WHERE id = ?",
            (at, prompt.session),
        )

    def _write_episode(self, episode: Episode) -> None:
        """Write an episode that the journal does not know."""
        from twiceshy.core.history import WRITE
        from twiceshy.store.entries import entries_about
        from twiceshy.store.settle import settle

        if not entries_about(self._db, episode.id):
            fields = episode.fields()
            del fields["id"]
            self._append(WRITE, episode.id, fields)
            settle(self._db, episode.id)

    def _take(self, line: dict[str, object]) -> bool:
        """Keep a record of the spool; False, and no trace of it, when it fits no column."""
        record = from_line(line)
        if record is None:
            return False
        self._db.execute("SAVEPOINT record")
        try:
            self._observe(record)
        except _MISFITS:
            self._db.execute("ROLLBACK TO record")
            return False
        finally:
            self._db.execute("RELEASE record")
        return True


def redacted(record: Observed, gate: Callable[[str], str]) -> Observed:
    """Return the record with every text through the gate, and nothing that is no valid UTF-8."""
    return record.but(**gated({k: _encodable(v) for k, v in record.fields().items()}, gate))


def to_line(record: Observed) -> dict[str, object]:
    """Return the record as the spool keeps it."""
    return {"as": type(record).__name__.lower(), **record.fields()}


def from_line(line: dict[str, object]) -> Observed | None:
    """Read a record of the spool; None for one that a newer version wrote."""
    known = _CLASSES.get(str(line.pop("as", "")))
    if known is None or set(line) != set(known.__fields__):
        return None
    return known.of({k: tuple(v) if isinstance(v, list) else v for k, v in line.items()})


def _episode(row: Sequence[object]) -> Episode:
    fields = dict(zip(Episode.__fields__, row, strict=True))
    return Episode.of(
        {name: load_list(str(v)) if name in LISTS else v for name, v in fields.items()}
    )


def _encodable(value: object) -> object:
    """Replace halves of characters, which a runtime leaves where it cut a text."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    return tuple(map(_encodable, value)) if isinstance(value, tuple) else value
