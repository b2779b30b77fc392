"""What models were asked for, row by row; nothing here ever changes a row."""

from __future__ import annotations

from twiceshy.core.model_ledger import Spending
from twiceshy.store.database import SqliteDatabase, explain_errors
from twiceshy.store.rows import check, marks

_COLUMNS = ", ".join(Spending.__fields__)
_TYPES = tuple(int if kind == "int" else str for kind in Spending.__annotations__.values())


class SqliteLedger(SqliteDatabase):
    """Calls of models, and what they took."""

    def _write_spending(self, spending: Spending) -> None:
        # what others put into words passes the gate, and a server may cut a character in half
        safe = spending.but(model=self._gate(spending.model), error=self._gate(spending.error))
        values = [
            value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
            for value in safe.fields().values()
        ]
        self._db.execute(f"INSERT INTO ledger ({_COLUMNS}) VALUES ({marks(values)})", values)

    @explain_errors
    def spendings(self, *, since: int = 0) -> list[Spending]:
        """Return what models were asked for since then, the oldest first."""
        found = self._db.execute(
            f"SELECT {_COLUMNS} FROM ledger WHERE at >= ? ORDER BY at, id", (since,)
        )
        return [_spending(row) for row in found]


def _spending(row: tuple[object, ...]) -> Spending:
    check(row, _TYPES)
    return Spending.of(dict(zip(Spending.__fields__, row, strict=True)))
