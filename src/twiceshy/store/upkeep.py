"""The part of a store that keeps it small: what is folded together, and what is pruned."""

from __future__ import annotations

from twiceshy.core.errors import StoreError
from twiceshy.store.reading import looking
from twiceshy.store.running import Running

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeVar

    from twiceshy.core.evidence import Episode
    from twiceshy.core.retention import Retention
    from twiceshy.core.session import Usage
    from twiceshy.core.store_upkeep import Standpoint
    from twiceshy.core.view import View

    T = TypeVar("T")


class _RehearsedError(Exception):
    """What takes a rehearsal back."""


class Upkeep(Running):
    """The part of a store that keeps it small: what is folded together, and what is pruned."""

    @looking
    def stretches(self, kinds: Sequence[str]) -> list[Episode]:
        """See ``Store.stretches``."""
        from twiceshy.store import episodes

        return episodes.everywhere(self._db, kinds)

    def fold(self, archive: Episode, episodes: Sequence[str]) -> None:
        """See ``Store.fold``."""
        from twiceshy.core.history import WRITE
        from twiceshy.store import settle

        fields = archive.fields()
        del fields["id"]
        with self.change():
            # its older wordings are in the new one: were they kept, each month would hold itself thirty times
            self.let_go([archive.id, *episodes])
            self._append(WRITE, archive.id, fields, before=None, refers="")
            settle.settle(self._db, archive.id)

    def let_go(self, episodes: Sequence[str]) -> None:
        """See ``Store.let_go``."""
        from twiceshy.store import archive

        with self.change():
            for each in episodes:
                archive.remove(self._db, each)

    def prune(self, rules: Retention, *, there: Callable[[str], bool]) -> Mapping[str, int]:
        """See ``Store.prune``."""
        from twiceshy.store import prune

        with self.change():
            return prune.prune(self._db, rules, now=self.now(), there=there)

    def rehearse(self, act: Callable[[], T]) -> T:
        """See ``Store.rehearse``."""
        if self.batch_id:
            raise StoreError("a change that is going on cannot be rehearsed")
        done: list[T] = []
        try:
            with self.change():
                done.append(act())
                raise _RehearsedError
        except _RehearsedError:
            return done[0]

    def shrink(self) -> int:
        """See ``Store.shrink``."""
        from twiceshy.store import archive

        return archive.shrink(self._db, self.path)

    @looking
    def view(self, path: str) -> View | None:
        """See ``Store.view``."""
        from twiceshy.store import views

        return next(iter(views.kept(self._db, path)), None)

    @looking
    def views(self) -> list[View]:
        """See ``Store.views``."""
        from twiceshy.store import views

        return views.kept(self._db)

    def keep_view(self, view: View) -> None:
        """See ``Store.keep_view``."""
        from twiceshy.store import views

        with self.change():
            views.keep(self._db, view.but(body=self._gate(view.body)))

    def drop_view(self, path: str) -> None:
        """See ``Store.drop_view``."""
        from twiceshy.store import views

        with self.change():
            views.drop(self._db, path)

    @looking
    def many_handed(self) -> list[str]:
        """See ``Store.many_handed``."""
        from twiceshy.store import journal

        return journal.many_handed(self._db)

    @looking
    def standpoints(self) -> list[Standpoint]:
        """See ``Store.standpoints``."""
        from twiceshy.store import projects

        return projects.standpoints(self._db)

    def count_elsewhere(self, program: str, usage: Usage) -> bool:
        """See ``Store.count_elsewhere``."""
        from twiceshy.core.skill_usage import GONE, OP, counted, counted_id, replay_counted

        said = counted(self._gate(program), usage.but(skill=self._gate(usage.skill)))
        name = counted_id(self.device, said.program, said.skill)
        with self.change():
            known = replay_counted(self.history(name))
            if known == said:
                return False
            before = known.fields() if known else {"life": GONE}
            self._append(OP, name, said.fields(), before=before, refers="")
        return True

    def link(self, alias: str, project: str) -> None:
        """See ``Store.link``."""
        from twiceshy.core.project_link import GONE, OP, Link, link_id, replay_link
        from twiceshy.store import settle

        said = Link(self._gate(alias), project)
        name = link_id(said.alias)
        with self.change():
            known = replay_link(self.history(name))
            if known != said:
                before = known.fields() if known else {"life": GONE}
                self._append(OP, name, said.fields(), before=before, refers="")
            settle.settle(self._db, name)
