"""Every column of the schema that may hold words is in the table of an erasure."""

import sqlite3
from contextlib import closing

from tests.requirements import requirement

from twiceshy.store import schema_repair, text_columns
from twiceshy.store.schema import STEPS
from twiceshy.store.text_columns import TEXT_COLUMNS

_NUMBERS = ("INTEGER", "REAL")


def columns_of_schema() -> dict[str, set[str]]:
    """Return the columns of today's schema that are no numbers, table by table."""
    with closing(sqlite3.connect(":memory:")) as db:
        for statement in schema_repair.split_statements(
            schema_repair.META_TABLES, *(step for _, step in STEPS)
        ):
            db.execute(statement)
        names = [
            name
            for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if not name.startswith(("words_", "sqlite_"))
        ]
        found = {
            name: {
                row[1]
                for row in db.execute(f"PRAGMA table_info ({name})")
                if row[2] not in _NUMBERS
            }
            for name in names
        }
    return {name: columns for name, columns in found.items() if columns}


@requirement("Y52")
def test_no_text_column_is_missing_from_the_sweep() -> None:
    assert {name: set(columns) for name, columns in TEXT_COLUMNS.items()} == columns_of_schema()


@requirement("Y52")
def test_every_column_has_one_of_the_known_ways() -> None:
    known = {
        text_columns.ROW, text_columns.DROP, text_columns.CLEAN, text_columns.STATE,
        text_columns.NAME, text_columns.DERIVED, text_columns.CODE,
    }  # fmt: skip

    assert {how for columns in TEXT_COLUMNS.values() for how in columns.values()} <= known
