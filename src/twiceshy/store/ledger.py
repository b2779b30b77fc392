"""What models were asked for, row by row; nothing here ever changes a row."""

from __future__ import annotations

from twiceshy.core.model_ledger import MOST_ATTEMPTS, Spending
from twiceshy.store.rows import check

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

_COLUMNS = ", ".join(Spending.__fields__)
_MARKS = ", ".join("?" * len(Spending.__fields__))
_TYPES = tuple(int if kind == "int" else str for kind in Spending.__annotations__.values())


def keep(db: sqlite3.Connection, spending: Spending, *, gate: Callable[[str], str]) -> None:
    """Write a call down; what others put into words passes the gate."""
    safe = spending.but(model=gate(spending.model), error=gate(spending.error))
    values = [
        # a server may cut a character in half
        value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
        for value in safe.fields().values()
    ]
    db.execute(f"INSERT INTO ledger ({_COLUMNS}) VALUES ({_MARKS})", values)


def since(db: sqlite3.Connection, at: int) -> list[Spending]:
    """Return the calls from that moment on, the oldest first."""
    found = db.execute(f"SELECT {_COLUMNS} FROM ledger WHERE at >= ? ORDER BY at, id", (at,))
    return [_spending(row) for row in found]


def done(db: sqlite3.Connection, material: str) -> bool:
    """Tell whether this was answered, or asked so often that it will not be."""
    found = db.execute(
        "SELECT max(error = ''), count(*) FROM ledger WHERE material = ?", (material,)
    ).fetchone()
    return bool(found[0]) or found[1] >= MOST_ATTEMPTS


def _spending(row: tuple[object, ...]) -> Spending:
    check(row, _TYPES)
    return Spending.of(dict(zip(Spending.__fields__, row, strict=True)))
