"""Compare a database with the reference schema, and restore lost parts."""

from __future__ import annotations

from contextlib import contextmanager

from twiceshy.core.value import Value
from twiceshy.store.driver import sqlite3
from twiceshy.store.schema import STEPS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    Step = tuple[str, str]

# Made before the first step, because the steps are recorded in them.
META_TABLES = """
CREATE TABLE IF NOT EXISTS meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS migrations (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    applied_at INTEGER NOT NULL
) STRICT;
"""
# An entry without its operation, or a payload without its object, would be replayed as another.
_ALL_OR_NOTHING = ("journal", "payloads")
# Notes that became equal while nothing kept them from it are told apart by the rebuild.
_PREPARATIONS = {"notes_the_same": ("UPDATE notes SET fingerprint = id",)}
_FALLBACK = {
    "TEXT": "''",
    "BLOB": "x''",
    # a list that can be read, and a key that no two notes have, until the journal tells
    "notes.files": "'[]'",
    "notes.concepts": "'[]'",
    "notes.fingerprint": "id",
}


class LostPart(Value):
    """A missing table, column or index, and the statements to restore the part."""

    name: str
    remedy: tuple[str, ...]


@contextmanager
def open_reference(steps: Sequence[Step]) -> Iterator[sqlite3.Connection]:
    """Open an empty in-memory database with the complete schema."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    try:
        for statement in split_statements(META_TABLES, *(step for _, step in steps)):
            db.execute(statement)
        yield db
    finally:
        db.close()


def restore_parts(db: sqlite3.Connection, whole: sqlite3.Connection) -> bool:
    """Restore every lost part, inside the caller's transaction; True if any was lost."""
    mended = False
    for _ in range(2):  # a table that is made anew has lost its indexes
        for part in list_lost_parts(db, whole):
            mended = True
            for statement in part.remedy:
                db.execute(statement)
    return mended


def drop_foreign_parts(db: sqlite3.Connection) -> list[str]:
    """Drop triggers and views, of which our schema has none; return their names.

    A trigger of another program would reword every note that is written.
    """
    found = db.execute(
        "SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view') ORDER BY name"
    ).fetchall()
    for kind, name in found:
        quoted = name.replace('"', '""')
        db.execute(f'DROP {kind} "{quoted}"')
    return [name for _, name in found]


def list_lost_parts(db: sqlite3.Connection, whole: sqlite3.Connection) -> list[LostPart]:
    """Return the lost parts, tables before their indexes."""
    present = dict(db.execute("SELECT name, sql FROM sqlite_master").fetchall())
    found: list[LostPart] = []
    for kind, name, sql in whole.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type DESC"
    ).fetchall():
        if _is_shadow_table(name):
            continue
        if name not in present:
            found.append(LostPart(name, (*_PREPARATIONS.get(name, ()), sql)))
        elif sql.startswith("CREATE VIRTUAL"):
            if present[name] != sql:  # of before the first release
                found.append(LostPart(name, (f"DROP TABLE {name}", sql)))
            found.extend(_find_lost_shadows(whole, name, sql, present))
        elif kind == "table":
            found.extend(_find_lost_columns(db, whole, name, sql))
    return found


def recreate_index(db: sqlite3.Connection) -> None:
    """Recreate the full-text index, empty.

    A broken index cannot even be dropped before its shadow tables are restored.
    """
    with open_reference(STEPS) as whole:
        made = dict(whole.execute("SELECT name, sql FROM sqlite_master").fetchall())
        for table in filter(_is_shadow_table, made):
            db.execute(f"DELETE FROM {table}")
            for statement in _dump_table(whole, table):
                db.execute(statement)
    db.execute("DROP TABLE words")
    db.execute(made["words"])


def has_unindexed_notes(db: sqlite3.Connection) -> bool:
    """True if the full-text index lacks notes."""
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    if not {"notes", "scopes"} <= tables:
        return False
    known = "SELECT (SELECT count(*) FROM notes) <> (SELECT total(notes) FROM scopes)"
    return bool(db.execute(known).fetchone()[0])


def split_statements(*scripts: str) -> Iterator[str]:
    """Split scripts into statements; ``executescript`` would commit the open transaction."""
    statement = ""
    for piece in "".join(scripts).split(";"):
        statement += piece + ";"
        if statement.strip() != ";" and sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _is_shadow_table(name: str) -> bool:
    """True for a table created by SQLite to hold the full-text index."""
    return name.startswith("words_")


def _find_lost_shadows(
    whole: sqlite3.Connection, index: str, sql: str, present: Collection[str]
) -> Iterator[LostPart]:
    """Yield the missing shadow tables of an index, with the statements to restore them.

    Without one of its tables the index cannot even be dropped, so that table is restored first.
    """
    gone = [
        (name, made)
        for name, made in whole.execute("SELECT name, sql FROM sqlite_master").fetchall()
        if _is_shadow_table(name) and name not in present
    ]
    if gone:
        remedy = [
            statement for name, made in gone for statement in (made, *_dump_table(whole, name))
        ]
        yield LostPart(", ".join(name for name, _ in gone), (*remedy, f"DROP TABLE {index}", sql))


def _dump_table(whole: sqlite3.Connection, table: str) -> Iterator[str]:
    """Yield INSERT statements for the rows of an empty index's table."""
    columns = [row[1] for row in whole.execute(f"PRAGMA table_info ({table})").fetchall()]
    values = " || ', ' || ".join(f"quote({column})" for column in columns)
    for (row,) in whole.execute(f"SELECT {values} FROM {table}").fetchall():
        yield f"INSERT INTO {table} VALUES ({row})"


def _find_lost_columns(
    db: sqlite3.Connection, whole: sqlite3.Connection, table: str, sql: str
) -> Iterator[LostPart]:
    """Yield the missing columns of a table, with the statements to recreate the table.

    A column that is added comes last; a fresh table has it elsewhere.
    """
    present = {row[1] for row in db.execute(f"PRAGMA table_info ({table})")}
    columns = whole.execute(f"PRAGMA table_info ({table})").fetchall()
    gone = [column for _, column, *_ in columns if column not in present]
    if not gone:
        return
    name = ", ".join(f"{table}.{column}" for column in gone)
    if table in _ALL_OR_NOTHING:
        yield LostPart(name, (f"DROP TABLE {table}", sql))
        return
    values = ", ".join(
        column
        if column in present
        else default or _FALLBACK.get(f"{table}.{column}") or _FALLBACK.get(affinity, "0")
        for _, column, affinity, _, default, _ in columns
    )
    yield LostPart(
        name,
        (
            f"ALTER TABLE {table} RENAME TO {table}_without",
            sql,
            f"INSERT OR IGNORE INTO {table} SELECT {values} FROM {table}_without",
            f"DROP TABLE {table}_without",
        ),
    )
