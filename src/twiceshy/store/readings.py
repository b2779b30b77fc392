"""How far transcripts were read, which calls were met in them, and what notes were learned from them."""

from __future__ import annotations

from twiceshy.core.evidence import Exposure, Signal
from twiceshy.core.jsontext import parse, write
from twiceshy.core.session import Session
from twiceshy.core.transcript_progress import CLOSED, Reading

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Mapping, Sequence

_AT_ONCE = 500  # SQLite binds no more than 999 values in old versions


def by_path(db: sqlite3.Connection, path: str) -> Reading | None:
    """Return how far a transcript was read."""
    row = db.execute(
        "SELECT path, session, position, state, at FROM readings WHERE path = ?", (path,)
    ).fetchone()
    return Reading(*row) if row else None


def unfinished(db: sqlite3.Connection, *, before: int) -> list[Reading]:
    """Return the transcripts that wait for something, and that nobody has read for a while."""
    found = db.execute(
        "SELECT path, session, position, state, at FROM readings"
        " WHERE substr(state, 1, ?) <> ? AND at < ? ORDER BY at, path",
        (len(CLOSED), CLOSED, before),
    )
    return [Reading(*row) for row in found]


def unread(db: sqlite3.Connection, *, before: int) -> list[Session]:
    """Return the sessions that were last seen before then and of which nothing was read."""
    found = db.execute(
        "SELECT * FROM sessions s WHERE transcript <> '' AND seen_at < ?"
        " AND NOT EXISTS (SELECT 1 FROM readings r WHERE r.session = s.id) ORDER BY seen_at",
        (before,),
    )
    return [Session(*row) for row in found]


def keep(db: sqlite3.Connection, reading: Reading) -> None:
    """Write down how far a transcript was read."""
    from twiceshy.safety.redact import RULES_VERSION

    values = (*reading.fields().values(), RULES_VERSION)
    db.execute("INSERT OR REPLACE INTO readings VALUES (?, ?, ?, ?, ?, ?)", values)


def gated(state: str, gate: Callable[[str], str]) -> str:
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
            return gated(value, gate)
        case str():
            return gate(value)
        case list():
            return [_through(each, gate) for each in value]
        case dict():
            return {gate(name): _through(each, gate) for name, each in value.items()}
        case _:
            return value


def met(db: sqlite3.Connection, session: str) -> bool:
    """Tell whether anything of a session was read before."""
    found = db.execute("SELECT 1 FROM readings WHERE session = ? LIMIT 1", (session,))
    return found.fetchone() is not None


def copied(db: sqlite3.Connection, ids: Sequence[str]) -> set[str]:
    """Return which of these calls were met before, in this session or in another one."""
    known: set[str] = set()
    for at in range(0, len(ids), _AT_ONCE):
        some = ids[at : at + _AT_ONCE]
        marks = ", ".join("?" * len(some))
        rows = db.execute(f"SELECT id FROM calls WHERE id IN ({marks})", some)
        known.update(row[0] for row in rows)
    return known


def keep_calls(db: sqlite3.Connection, ids: Iterable[str], session: str, *, at: int) -> None:
    """Remember that these calls belong to a session."""
    rows = [(each, session, at) for each in ids]
    db.executemany("INSERT OR IGNORE INTO calls VALUES (?, ?, ?)", rows)


def prune(db: sqlite3.Connection, *, before: int) -> None:
    """Let go of calls that are too old to be copied by anybody."""
    db.execute("DELETE FROM calls WHERE at < ?", (before,))


def taught(db: sqlite3.Connection, note: str, session: str) -> bool:
    """Tell whether a session has taught a note."""
    found = db.execute(
        "SELECT 1 FROM evidence WHERE note = ? AND session = ? LIMIT 1", (note, session)
    )
    return found.fetchone() is not None


def attest(db: sqlite3.Connection, note: str, signal: str, session: str, *, at: int) -> bool:
    """Remember what a note was learned from; tell whether that was not known."""
    rows = db.execute(
        "INSERT OR IGNORE INTO evidence VALUES (?, ?, ?, ?)", (note, signal, session, at)
    )
    return rows.rowcount > 0


def taught_by(db: sqlite3.Connection, session: str) -> Mapping[str, int]:
    """Return how many lessons began with a session, by skill, whatever became of them."""
    found = db.execute(
        """
        SELECT notes.skill, count(DISTINCT notes.id) FROM evidence JOIN notes ON notes.id = evidence.note
        WHERE evidence.session = ? AND notes.origin_session = ? AND notes.kind = 'lesson'
        GROUP BY notes.skill
        """,
        (session, session),
    )
    return {row[0]: row[1] for row in found}


def evidence(db: sqlite3.Connection, note: str) -> list[tuple[str, str, int]]:
    """Return signal, session and time of all that a note was learned from, the newest first."""
    found = db.execute(
        "SELECT signal, session, at FROM evidence WHERE note = ? ORDER BY at DESC, signal", (note,)
    )
    return [(row[0], row[1], row[2]) for row in found]


def observed(db: sqlite3.Connection, project: str, kind: str, *, limit: int) -> list[Signal]:
    """Return what of one kind was observed in a project, the last first."""
    names = ", ".join(Signal.__fields__)
    found = db.execute(
        f"SELECT {names} FROM signals WHERE project = ? AND kind = ? ORDER BY at DESC, key LIMIT ?",
        (project, kind, limit),
    )
    return [Signal(*row) for row in found]


def shown(db: sqlite3.Connection, note: str, *, limit: int) -> list[Exposure]:
    """Return to which sessions a note was shown, or withheld from, the last first."""
    found = db.execute(
        "SELECT * FROM exposures WHERE note = ? ORDER BY at DESC, key LIMIT ?", (note, limit)
    )
    return [Exposure(*row).but(withheld=bool(row[-1])) for row in found]


def wordings(db: sqlite3.Connection, note: str, *, most: int) -> list[str]:
    """Return in which wordings its mistake taught a note, the last first."""
    found = db.execute(
        "SELECT s.mistake FROM evidence e JOIN signals s ON s.key = e.signal"
        " WHERE e.note = ? ORDER BY e.at DESC, e.signal DESC LIMIT ?",
        (note, most),
    )
    return [row[0] for row in found]


def amend(db: sqlite3.Connection, key: str, mistake: str, pair: str) -> None:
    """Say of a signal which mistake it was, and which call put it right."""
    db.execute(
        """
        UPDATE signals SET mistake = ?, pair = CASE WHEN ? <> '' THEN ? ELSE pair END
        WHERE key = ?
        """,
        (mistake, pair, pair, key),
    )
