"""Changes to what is no note: folded episodes, counts of other programs, names of projects; and rehearsals."""

from __future__ import annotations

from twiceshy.core.history import WRITE
from twiceshy.store import settle
from twiceshy.store.journal import SqliteJournal
from twiceshy.store.prune import SqlitePruning

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeVar

    from twiceshy.core.evidence import Episode

    T = TypeVar("T")


class SqliteUpkeep(SqliteJournal, SqlitePruning):
    """Changes that only commands make."""

    def fold(self, archive: Episode, episodes: Sequence[str]) -> None:
        """Keep an archive in place of what it was, and of these episodes with all their history."""
        fields = archive.fields()
        del fields["id"]
        with self.change():
            # its older wordings are in the new one: were they kept, each month would hold itself thirty times
            self.let_go([archive.id, *episodes])
            self._append(WRITE, archive.id, fields)
            settle.settle(self._db, archive.id)
