"""The ledger of model calls; rows never change."""

from __future__ import annotations

from twiceshy.core.model_ledger import ModelCall
from twiceshy.store.database import Database, explain_errors
from twiceshy.store.rows import check_types, join_marks

_COLUMNS = ", ".join(ModelCall.__fields__)
_TYPES = tuple(int if kind == "int" else str for kind in ModelCall.__annotations__.values())


class SqliteLedger(Database):
    """Stores model calls and their cost."""

    def _write_model_call(self, spending: ModelCall) -> None:
        # what others put into words passes the gate, and a server may cut a character in half
        safe = spending.but(
            model=self._redact_text(spending.model), error=self._redact_text(spending.error)
        )
        values = [
            value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
            for value in safe.fields().values()
        ]
        self._db.execute(f"INSERT INTO ledger ({_COLUMNS}) VALUES ({join_marks(values)})", values)

    @explain_errors
    def list_model_calls(self, *, since: int = 0) -> list[ModelCall]:
        """Return the model calls since a time, oldest first."""
        found = self._db.execute(
            f"SELECT {_COLUMNS} FROM ledger WHERE at >= ? ORDER BY at, id", (since,)
        )
        return [_build_model_call(row) for row in found]


def _build_model_call(row: tuple[object, ...]) -> ModelCall:
    check_types(row, _TYPES)
    return ModelCall.of(dict(zip(ModelCall.__fields__, row, strict=True)))
