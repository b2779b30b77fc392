"""Write the table that twiceshy ships: one row a term, its direction in signed bytes."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

SCHEMA = """
CREATE TABLE words (term TEXT PRIMARY KEY, weight REAL NOT NULL, vector BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""


def write(path: str, terms: Sequence[str], vectors: np.ndarray, meta: dict[str, str]) -> None:
    """Write a new file; a term's weight is what one step of its bytes is worth."""
    largest = np.abs(vectors).max(axis=1)
    steps = np.where(largest == 0, 1, largest) / 127
    directions = np.round(vectors / steps[:, None]).astype(np.int8)
    if os.path.exists(path):
        os.remove(path)
    db = sqlite3.connect(path)
    db.execute("PRAGMA page_size = 4096")
    db.execute("PRAGMA journal_mode = DELETE")
    db.executescript(SCHEMA)
    # seven digits are more than a byte can use, and keep the file the same on every machine
    rows = zip(terms, (float(f"{step:.6g}") for step in steps), directions, strict=True)
    with db:
        db.executemany(
            "INSERT INTO words VALUES (?, ?, ?)",
            sorted((term, weight, row.tobytes()) for term, weight, row in rows),
        )
        db.executemany("INSERT INTO meta VALUES (?, ?)", sorted(meta.items()))
    db.execute("VACUUM")
    db.close()
