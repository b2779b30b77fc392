"""The part of a store that says who does the maintenance, and what it did."""

from __future__ import annotations

from twiceshy.store.changing import Changing
from twiceshy.store.reading import looking

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.maintenance import Run


class Running(Changing):
    """The part of a store that says who does the maintenance, and what it did."""

    def lease(self, name: str, holder: str, *, seconds: int) -> bool:
        """See ``Store.lease``."""
        from twiceshy.store import leases

        with self.change():
            return leases.take(self._db, name, holder, seconds=seconds, now=self.now())

    def release(self, name: str, holder: str) -> None:
        """See ``Store.release``."""
        from twiceshy.store import leases

        with self.change():
            leases.give_back(self._db, name, holder)

    def begin_run(self, what: str) -> int:
        """See ``Store.begin_run``."""
        from twiceshy.store import leases

        with self.change():
            return leases.begin(self._db, what, now=self.now())

    def keep_run(self, number: int, done: str, *, error: str = "", over: bool = True) -> None:
        """See ``Store.keep_run``."""
        from twiceshy.store import leases

        ended_at = self.now() if over else 0
        with self.change():
            leases.keep(self._db, number, done, error=self._gate(error), ended_at=ended_at)

    @looking
    def runs(self, what: str, *, limit: int = 20) -> list[Run]:
        """See ``Store.runs``."""
        from twiceshy.store import leases

        return leases.last(self._db, what, limit=limit)

    @looking
    def meanings_missing(self) -> int:
        """See ``Store.meanings_missing``."""
        from twiceshy.store import vectors

        return len(vectors.missing(self._db, vectors.shipped.identity))
