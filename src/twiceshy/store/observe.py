"""Keep what machines observed: signals and exposures, each once by its key, and the tallies."""

from __future__ import annotations

import _sqlite3 as sqlite3

from twiceshy.core.evidence import Episode, Exposure, Signal
from twiceshy.core.session import Prompt

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from twiceshy.core.store import Observed as Record

_TEXTS = frozenset(
    """text why tag files concepts trigger reason variant
    tool target excerpt title summary requests tools root transcript""".split()
)
# What is raised for a value of a type that a column does not take.
_MISFITS = (
    sqlite3.IntegrityError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
    TypeError,
    ValueError,
)
_CLASSES: dict[str, type[Record]] = {
    "signal": Signal,
    "exposure": Exposure,
    "episode": Episode,
    "prompt": Prompt,
}


def gated(fields: Mapping[str, object], gate: Callable[[str], str]) -> dict[str, object]:
    """Put every text through the gate; ids, scopes and states are not text."""
    return {
        name: _through(value, gate) if name in _TEXTS else value for name, value in fields.items()
    }


def redacted(record: Record, gate: Callable[[str], str]) -> Record:
    """Return the record with every text through the gate, and nothing that is no valid UTF-8."""
    return record.but(**gated({k: _encodable(v) for k, v in record.fields().items()}, gate))


def to_line(record: Record) -> dict[str, object]:
    """Return the record as the spool keeps it."""
    return {"as": type(record).__name__.lower(), **record.fields()}


def from_line(line: dict[str, object]) -> Record | None:
    """Read a record of the spool; None for one that a newer version wrote."""
    known = _CLASSES.get(str(line.pop("as", "")))
    if known is None or set(line) != set(known.__fields__):
        return None
    return known.of({k: tuple(v) if isinstance(v, list) else v for k, v in line.items()})


def keep(db: sqlite3.Connection, record: Signal | Exposure | Prompt) -> None:
    """Insert the record, unless its key is known; a prompt is counted."""
    if isinstance(record, Prompt):
        from twiceshy.store import sessions

        sessions.count_prompt(db, record)
        return
    values = list(record.fields().values())
    if isinstance(record, Signal):
        from twiceshy.safety.redact import RULES_VERSION

        table, values = "signals", [*values, RULES_VERSION]
    else:
        table = "exposures"
    marks = ", ".join("?" * len(values))
    db.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", values)


def signals(
    db: sqlite3.Connection,
    sessions: Sequence[str],
    mistakes: Sequence[str],
    *,
    keys: Sequence[str] = (),
    limit: int,
) -> list[Signal]:
    """Return what was observed in sessions, or of mistakes in any session, the last one first."""
    found = db.execute(
        f"""
        SELECT {", ".join(Signal.__fields__)} FROM signals
        WHERE session IN ({", ".join("?" * len(sessions))})
            OR (mistake <> '' AND mistake IN ({", ".join("?" * len(mistakes))}))
            OR key IN ({", ".join("?" * len(keys))})
        ORDER BY at DESC, key LIMIT ?
        """,
        [*sessions, *mistakes, *keys, limit],
    )
    return [Signal(*row) for row in found]


def fits(db: sqlite3.Connection, keep_it: Callable[[], None]) -> bool:
    """Keep a record of the spool; False, and no trace of it, when it fits no column."""
    db.execute("SAVEPOINT record")
    try:
        keep_it()
    except _MISFITS:
        db.execute("ROLLBACK TO record")
        return False
    finally:
        db.execute("RELEASE record")
    return True


def tally(db: sqlite3.Connection, name: str, note_ids: Iterable[str], *, device: str) -> None:
    """Count once for each note, on this device."""
    db.executemany(
        """
        INSERT INTO tallies (note, name, device, count) VALUES (?, ?, ?, 1)
        ON CONFLICT DO UPDATE SET count = count + 1
        """,
        [(note_id, name, device) for note_id in note_ids],
    )


def _through(value: object, gate: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return gate(value) if value else value
    return tuple(map(gate, value)) if isinstance(value, tuple | list) else value


def _encodable(value: object) -> object:
    """Replace halves of characters, which a runtime leaves where it cut a text."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    return tuple(map(_encodable, value)) if isinstance(value, tuple) else value
