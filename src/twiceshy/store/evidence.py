"""Observations: signals, exposures, prompts and episodes, each stored once by key."""

from __future__ import annotations

from twiceshy.core.errors import BusyError, NewerStoreError, StoreError
from twiceshy.core.evidence import Episode, Exposure, Signal
from twiceshy.core.session import PromptCount, Session
from twiceshy.store import spool
from twiceshy.store.connect import explain_error
from twiceshy.store.database import Database, explain_errors
from twiceshy.store.driver import sqlite3
from twiceshy.store.rows import LISTS, join_marks, load_list, redact_fields

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twiceshy.core.store import Acknowledged, Observed

# What is raised for a value of a type that a column does not take.
_TYPE_ERRORS = (
    sqlite3.IntegrityError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
    TypeError,
    ValueError,
)
_NO_LIMIT = -1  # as a limit
_CLASSES: dict[str, type[Observed]] = {
    "signal": Signal,
    "exposure": Exposure,
    "episode": Episode,
    "prompt": PromptCount,
    "session": Session,
}
_EXPOSED = ", ".join(Exposure.__fields__)
_COUNT_SHOWING = """
    INSERT INTO counters (note, name, device, count)
    SELECT id, 'recalls', ?, 1 FROM notes WHERE id = ?
    ON CONFLICT DO UPDATE SET count = count + 1
"""
_NAMES = {kind: name for name, kind in _CLASSES.items()}


# Signals that taught a note, or a note that it took the place of.
_TAUGHT = """key IN (SELECT signal FROM evidence e JOIN notes n ON n.id = e.note
    WHERE coalesce(nullif(n.superseded_by, ''), n.id) IN ({marks}))"""


class SqliteEvidence(Database):
    """Stores observations, in the spool while the database is busy."""

    def capture(self, *records: Observed) -> Acknowledged:
        """Store observations; spool them while the store is busy or cannot be written."""
        redacted = [redact_record(record, self._redact_text) for record in records]
        try:
            with self.change():
                for record in redacted:
                    self._store_observation(record)
        except StoreError as error:
            if not (self.read_only or isinstance(error, BusyError | NewerStoreError)):
                raise
            self._spool_records(redacted)
            return "spooled"
        return "stored"

    def _spool_records(self, records: Sequence[Observed]) -> None:
        try:
            for record in records:
                spool.append_record(self._spool_path, build_spool_line(record))
        except OSError as error:
            raise explain_error(error, self._spool_path) from error

    @explain_errors
    def list_exposures(
        self,
        *,
        session: str = "",
        note: str = "",
        key: str = "",
        channel: str = "",
        since: int = 0,
        limit: int | None = None,
        skip: int = 0,
    ) -> list[Exposure]:
        """See ``HookStore.list_exposures``."""
        asked = {"session": session, "note": note, "key": key, "channel": channel}
        given = {name: value for name, value in asked.items() if value}
        parts = [f"{name} = ?" for name in given] + ["at >= ?"] * bool(since)
        where = " AND ".join(parts) or "1"
        # in the order of their index: what is skipped is not read
        order = "at DESC, key DESC" if skip else "at DESC, key"
        found = self._db.execute(
            f"SELECT {_EXPOSED} FROM exposures WHERE {where} ORDER BY {order} LIMIT ? OFFSET ?",
            (
                *given.values(),
                *([since] if since else ()),
                _NO_LIMIT if limit is None else limit,
                skip,
            ),
        )
        stored = [_build_exposure(row) for row in found]
        is_bounded = limit is not None or skip > 0
        return stored if is_bounded or not given else self._add_waiting(stored, given)

    def _add_waiting(self, stored: list[Exposure], given: dict[str, str]) -> list[Exposure]:
        """Add the exposures that wait in the spool: their texts were told, too."""
        try:
            lines = spool.list_waiting(self._spool_path)
        except OSError:
            return stored  # nobody may read it
        waiting = [
            one
            for one in map(parse_spool_line, filter(_can_be_sorted, lines))
            if isinstance(one, Exposure)
            and all(getattr(one, name) == value for name, value in given.items())
        ]
        if not waiting:
            return stored
        known = {one.key: one for one in (*waiting, *stored)}
        return sorted(known.values(), key=lambda one: (-one.at, one.key))

    @explain_errors
    def list_signals(
        self,
        project: str = "",
        kind: str = "",
        *,
        sessions: Sequence[str] = (),
        mistakes: Sequence[str] = (),
        keys: Sequence[str] = (),
        notes: Sequence[str] = (),
        limit: int = 50,
    ) -> list[Signal]:
        """Return signals of a kind in a project, plus further signals, newest first."""
        asked: dict[str, Sequence[object]] = {
            "(project = ? AND kind = ?)": (project, kind) if kind else (),
            f"session IN ({join_marks(sessions)})": sessions,
            f"(mistake <> '' AND mistake IN ({join_marks(mistakes)}))": mistakes,
            f"key IN ({join_marks(keys)})": keys,
            _TAUGHT.format(marks=join_marks(notes)): notes,
        }
        given = {where: values for where, values in asked.items() if values}
        found = self._db.execute(
            f"SELECT {', '.join(Signal.__fields__)} FROM signals WHERE {' OR '.join(given) or '0'}"
            " ORDER BY at DESC, key LIMIT ?",
            [*(value for values in given.values() for value in values), limit],
        )
        return [Signal(*row) for row in found]

    @explain_errors
    def list_episodes(
        self,
        projects: Sequence[str] | None = None,
        *,
        kinds: Sequence[str],
        since: int = 0,
        limit: int | None = 20,
        held: bool = False,
        name: str = "",
    ) -> list[Episode]:
        """Return episodes of some projects ended since a time, newest first."""
        within = "1" if projects is None else f"project IN ({join_marks(projects)})"
        within += " AND id = ?" if name else ""
        if self.for_agents:
            self._prepare_telling()
            within += " AND coalesce(v.reason, '-') = ''"
        elif held:
            within += " AND (v.reason <> '' OR v.withheld <> '') AND v.origin <> v.reason"
        found = self._db.execute(
            f"""
            SELECT {", ".join(Episode.__fields__)}, v.content, v.withheld
            FROM episodes LEFT JOIN verdicts v ON v.object = id
            WHERE {within} AND ended_at >= ? AND kind IN ({join_marks(kinds)})
            ORDER BY ended_at DESC, id DESC LIMIT ?
            """,
            (
                *(projects or ()),
                *filter(None, (name,)),
                since,
                *kinds,
                _NO_LIMIT if limit is None else limit,
            ),
        )
        read = [(build_episode(row[:-2]), *row[-2:]) for row in found]
        if not self.for_agents:
            return [episode for episode, *_ in read]
        # as the gate has seen it, without what the gate withholds
        return [one.withhold(spans) for one, content, spans in read if content == one.told_content]

    def _store_observation(self, record: Observed) -> None:
        """Insert a record unless its key is known; count prompts, journal episodes."""
        if isinstance(record, PromptCount):
            self._count_prompt(record)
        elif isinstance(record, Signal):
            from twiceshy.safety.redact import RULES_VERSION

            self._insert_row("signals", [*record.fields().values(), RULES_VERSION])
        elif isinstance(record, Session):
            self._insert_row("sessions", list(record.fields().values()))
        elif isinstance(record, Exposure):
            self._insert_row("exposures", list(record.fields().values()))
        else:
            self._write_episode(record)

    def _count_spooled(self, shown: Exposure) -> None:
        """Count a showing that was spooled, once; whoever spooled it could not count it."""
        if not shown.withheld and not self.list_exposures(key=shown.key, limit=1):
            self._db.execute(_COUNT_SHOWING, (self.device, shown.note))

    def _insert_row(self, table: str, values: Sequence[object]) -> bool:
        statement = f"INSERT OR IGNORE INTO {table} VALUES ({join_marks(values)})"
        return self._db.execute(statement, values).rowcount > 0

    def _count_prompt(self, prompt: PromptCount) -> None:
        """Count a prompt in its session; insert the session if unknown."""
        at = prompt.at
        if not self._insert_row("seen_calls", (f"prompt/{prompt.key}", prompt.session, at)):
            return
        place = (prompt.session, prompt.runtime, prompt.project, prompt.root, prompt.transcript)
        new = Session(*place, started_at=at, seen_at=at, compactions=prompt.compactions)
        self._insert_row("sessions", list(new.fields().values()))
        self._db.execute(
            "UPDATE sessions SET prompts = prompts + 1, seen_at = max(seen_at, ?) WHERE id = ?",
            (at, prompt.session),
        )

    def _write_episode(self, episode: Episode) -> None:
        """Write an episode unknown to the journal."""
        from twiceshy.core.history import WRITE
        from twiceshy.store.entries import list_entries
        from twiceshy.store.settle import settle_object

        if not list_entries(self._db, episode.id):
            fields = episode.fields()
            del fields["id"]
            self._append_entry(WRITE, episode.id, fields)
            settle_object(self._db, episode.id)

    def _take_spooled(self, line: dict[str, object]) -> bool:
        """Store a spooled record; False, without a trace, if a value fits no column."""
        record = parse_spool_line(line)
        if record is None:
            return False
        self._db.execute("SAVEPOINT record")
        try:
            if isinstance(record, Exposure):
                self._count_spooled(record)
            self._store_observation(record)
        except _TYPE_ERRORS:
            self._db.execute("ROLLBACK TO record")
            return False
        finally:
            self._db.execute("RELEASE record")
        return True


def redact_record(record: Observed, gate: Callable[[str], str]) -> Observed:
    """Return the record with redacted texts, in valid UTF-8."""
    return record.but(
        **redact_fields({k: _make_encodable(v) for k, v in record.fields().items()}, gate)
    )


def build_spool_line(record: Observed) -> dict[str, object]:
    """Return the record in spool format."""
    return {"as": _NAMES[type(record)], **record.fields()}


def parse_spool_line(line: dict[str, object]) -> Observed | None:
    """Parse a spool record; None if written by a newer version."""
    known = _CLASSES.get(str(line.pop("as", "")))
    if "era" in line:  # written before the first release
        from twiceshy.core.history import rename_older_fields

        line = rename_older_fields(line)
    if known is None or set(line) != set(known.__fields__):
        return None
    return known.of({k: tuple(v) if isinstance(v, list) else v for k, v in line.items()})


def _can_be_sorted(line: dict[str, object]) -> bool:
    """True if key and time of a line have their types: a newer version may write others."""
    return isinstance(line.get("key"), str) and isinstance(line.get("at"), int)


def _build_exposure(row: Sequence[object]) -> Exposure:
    fields = dict(zip(Exposure.__fields__, row, strict=True))
    return Exposure.of(fields | {"withheld": bool(fields["withheld"])})


def build_episode(row: Sequence[object]) -> Episode:
    """Build an episode from a row of its fields."""
    fields = dict(zip(Episode.__fields__, row, strict=True))
    return Episode.of(
        {name: load_list(str(v)) if name in LISTS else v for name, v in fields.items()}
    )


def _make_encodable(value: object) -> object:
    """Replace half characters, left by a runtime at the end of a cut text."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    return tuple(map(_make_encodable, value)) if isinstance(value, tuple) else value
