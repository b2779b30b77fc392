"""Databases as other programs make them, filled by the test; and what came of the episodes in them."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from twiceshy.core.evidence import Episode
from twiceshy.store.command_store import WholeStore


def a_table(path: Path, table: str, columns: str, rows: Sequence[Mapping[str, object]]) -> Path:
    """Add a table with rows to a database; what a row does not name is NULL."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"CREATE TABLE {table} ({columns})")
        for row in rows:
            marks = ", ".join("?" * len(row))
            db.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", [*row.values()])
        db.commit()
    return path


def episodes_of(store: WholeStore, project: str) -> dict[str, Episode]:
    """Return the episodes of a project by their titles."""
    found = store.list_episodes([project], kinds=("end", "note"), limit=100)
    return {episode.title: episode for episode in found}
