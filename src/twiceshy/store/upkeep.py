"""Changes to what is no note: folded episodes, counts of other programs, names of projects; and rehearsals."""

from __future__ import annotations

from twiceshy.core.errors import StoreError
from twiceshy.core.history import WRITE
from twiceshy.store import settle
from twiceshy.store.journal import SqliteJournal
from twiceshy.store.prune import SqlitePruning

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from twiceshy.core.evidence import Episode
    from twiceshy.core.session import Usage

    T = TypeVar("T")


class _RehearsedError(Exception):
    """What takes a rehearsal back."""


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

    def rehearse(self, act: Callable[[], T]) -> T:
        """Do something, take all of it back, and return what it returned."""
        if self.batch_id:
            raise StoreError("a change that is going on cannot be rehearsed")
        done: list[T] = []
        try:
            with self.change():
                done.append(act())
                raise _RehearsedError
        except _RehearsedError:
            return done[0]

    def count_elsewhere(self, program: str, usage: Usage) -> bool:
        """Keep how another program counted the use of a skill; False if that is known already."""
        from twiceshy.core.skill_usage import GONE, OP, counted, counted_id, replay_counted

        said = counted(self._gate(program), usage.but(skill=self._gate(usage.skill)))
        name = counted_id(self.device, said.program, said.skill)
        with self.change():
            known = replay_counted(self.history(name))
            if known == said:
                return False
            before = known.fields() if known else {"life": GONE}
            self._append(OP, name, said.fields(), before=before)
        return True

    def link(self, alias: str, project: str) -> None:
        """Give a project another name, as an entry of the journal; an older meaning gives way."""
        from twiceshy.core.project_link import GONE, OP, Link, link_id, replay_link

        said = Link(self._gate(alias), project)
        name = link_id(said.alias)
        with self.change():
            known = replay_link(self.history(name))
            if known != said:
                before = known.fields() if known else {"life": GONE}
                self._append(OP, name, said.fields(), before=before)
            settle.settle(self._db, name)
