"""Write word tables: one row a term, its direction in bytes, or in halves of bytes as twiceshy ships it."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Row = tuple[str, float, bytes]

# A whole number in a column of this type takes the bytes of a whole number.
SCHEMA = """
CREATE TABLE words (term TEXT PRIMARY KEY, weight REAL NOT NULL, vector BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
WHOLE, HALF = 127, 7  # the largest number
HEAVIEST = 30_000  # weights are shares of it: only proportions matter


def write(path: str, terms: Sequence[str], vectors: np.ndarray, meta: dict[str, str]) -> None:
    """Write a table of whole bytes; a term's weight is what one step of its bytes is worth."""
    largest = np.abs(vectors).max(axis=1)
    steps = np.where(largest == 0, 1, largest) / WHOLE
    directions = np.round(vectors / steps[:, None]).astype(np.int8)
    # seven digits are more than a byte can use, and keep the file the same on every machine
    weights = (float(f"{step:.6g}") for step in steps)
    rows = zip(terms, weights, (row.tobytes() for row in directions), strict=True)
    _write_rows(path, rows, meta)


def write_halves(
    path: str, terms: Sequence[str], vectors: np.ndarray, meta: dict[str, str]
) -> None:
    """Write the table that is shipped: two numbers a byte, the first half of them in the upper bits."""
    largest = np.abs(vectors).max(axis=1)
    steps = np.where(largest == 0, 1, largest) / HALF
    numbers = np.round(vectors / steps[:, None]).astype(np.int8)
    upper, lower = np.split(numbers.view(np.uint8), 2, axis=1)
    packed = (upper << 4) | (lower & 0x0F)
    weights = np.maximum(1, np.round(steps / steps.max() * HEAVIEST)).tolist()
    rows = zip(terms, weights, (row.tobytes() for row in packed), strict=True)
    _write_rows(path, rows, meta)


def _write_rows(path: str, rows: Iterable[Row], meta: dict[str, str]) -> None:
    if os.path.exists(path):
        os.remove(path)
    db = sqlite3.connect(path)
    db.execute("PRAGMA page_size = 4096")
    db.execute("PRAGMA journal_mode = DELETE")
    db.executescript(SCHEMA)
    with db:
        db.executemany("INSERT INTO words VALUES (?, ?, ?)", sorted(rows))
        db.executemany("INSERT INTO meta VALUES (?, ?)", sorted(meta.items()))
    db.execute("VACUUM")
    db.close()
