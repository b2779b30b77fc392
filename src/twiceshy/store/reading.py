"""All of a store that only looks; what goes wrong meanwhile is put into words."""

from __future__ import annotations

import os

from twiceshy.core.errors import DamagedStoreError
from twiceshy.store.connect import FAILURES, explain, is_damage
from twiceshy.store.place import suspect

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Sequence
    from typing import Concatenate, ParamSpec, TypeVar

    from twiceshy.core.draft import Draft
    from twiceshy.core.errors import StoreError
    from twiceshy.core.evidence import Episode, Exposure, Signal
    from twiceshy.core.filter import Filter, Found
    from twiceshy.core.history import Entry
    from twiceshy.core.model_ledger import Spending
    from twiceshy.core.note import Note
    from twiceshy.core.outcome import Outcome
    from twiceshy.core.scope import Scope
    from twiceshy.core.session import Session, Usage, Use
    from twiceshy.core.store import Finding, Standing
    from twiceshy.language.vector import Meaning
    from twiceshy.safety.signing import Signature

    P = ParamSpec("P")
    S = TypeVar("S", bound="Reader")
    T = TypeVar("T")


def looking(
    find_out: Callable[Concatenate[S, P], T],
) -> Callable[Concatenate[S, P], T]:
    """Say what to do when the database cannot answer, and remember it when that is damaged."""

    def found_out(self: S, /, *args: P.args, **named: P.kwargs) -> T:
        try:
            return find_out(self, *args, **named)
        except DamagedStoreError:
            suspect(self.path)
            raise
        except FAILURES as error:
            raise self._explained(error) from error

    found_out.__doc__ = find_out.__doc__
    return found_out


class Reader:
    """An open database that answers."""

    path: str
    now: Callable[[], int]
    _db: sqlite3.Connection
    _device: str

    @looking
    def note(self, note_id: str) -> Note | None:
        """See ``Store.note``."""
        from twiceshy.store import find

        return find.by_id(self._db, note_id)

    @looking
    def named(self, name: str) -> list[Note]:
        """See ``Store.named``."""
        from twiceshy.store import find

        return find.by_name(self._db, name)

    @looking
    def notes(self, which: Filter, *, limit: int = 200) -> list[Note]:
        """See ``Store.notes``."""
        from twiceshy.store import find

        return find.listed(self._db, which, limit=limit)

    @looking
    def count(self, which: Filter) -> int:
        """See ``Store.count``."""
        from twiceshy.store import find

        return find.count(self._db, which)

    @looking
    def matching(
        self,
        terms: Sequence[str],
        which: Filter,
        *,
        limit: int = 50,
        meaning: Meaning | None = None,
    ) -> Found:
        """See ``Store.matching``."""
        from twiceshy.store import find

        return find.matching(self._db, terms, which, limit=limit, meaning=meaning)

    @looking
    def twin(self, draft: Draft) -> Note | None:
        """See ``Store.twin``."""
        from twiceshy.store import find

        return find.twin(self._db, draft)

    @looking
    def near(self, draft: Draft, *, threshold: float) -> Note | None:
        """See ``Store.near``."""
        from twiceshy.store import find

        return find.near(self._db, draft, threshold=threshold)

    @looking
    def forgotten(self, scope: Scope, fingerprint: str) -> bool:
        """See ``Store.forgotten``."""
        from twiceshy.store import find

        return find.forgotten(self._db, scope, fingerprint)

    @looking
    def history(self, note_id: str) -> list[Entry]:
        """See ``Store.history``."""
        from twiceshy.store import journal

        return journal.about(self._db, note_id)

    @looking
    def latest(self, *, limit: int = 100, before: int | None = None) -> list[Entry]:
        """See ``Store.latest``."""
        from twiceshy.store import journal

        return journal.newest(self._db, limit=limit, before=before)

    @looking
    def batch(self, batch: str) -> list[Entry]:
        """See ``Store.batch``."""
        from twiceshy.store import journal

        return journal.of_batch(self._db, batch)

    @looking
    def same_project(self, project: str) -> tuple[str, ...]:
        """See ``Store.same_project``."""
        from twiceshy.store import find

        return find.same_project(self._db, project)

    @looking
    def projects(self) -> dict[str, tuple[str, str]]:
        """See ``Store.projects``."""
        known = self._db.execute("SELECT id, name, root FROM projects ORDER BY name, id")
        return {project: (name, root) for project, name, root in known}

    @looking
    def skills(self) -> list[str]:
        """See ``Store.skills``."""
        known = self._db.execute("SELECT DISTINCT skill FROM notes WHERE skill <> '' ORDER BY 1")
        return [skill for (skill,) in known]

    @looking
    def without_meaning(self, model: str, *, limit: int = 100) -> list[Note]:
        """See ``Store.without_meaning``."""
        from twiceshy.store import find, vectors

        missing = vectors.missing(self._db, model, limit=limit)
        return [note for note in (find.by_id(self._db, one) for one in missing) if note]

    @looking
    def session(self, session: str) -> Session | None:
        """See ``Store.session``."""
        from twiceshy.store import sessions

        return sessions.by_id(self._db, session)

    @looking
    def intent(self, session: str, *, call: str = "") -> str:
        """See ``Store.intent``."""
        from twiceshy.store import sessions

        return sessions.intent(self._db, session, call, now=self.now())

    @looking
    def use(self, session: str, agent: str, skill: str) -> Use | None:
        """See ``Store.use``."""
        from twiceshy.store import sessions

        return sessions.use(self._db, session, agent, skill)

    @looking
    def uses(self, session: str, agent: str) -> list[Use]:
        """See ``Store.uses``."""
        from twiceshy.store import sessions

        return sessions.uses(self._db, session, agent)

    @looking
    def exposures(self, session: str) -> list[Exposure]:
        """See ``Store.exposures``."""
        from twiceshy.store import sessions

        return sessions.exposures(self._db, session)

    @looking
    def signals_of(
        self,
        *,
        sessions: Sequence[str] = (),
        mistakes: Sequence[str] = (),
        keys: Sequence[str] = (),
        limit: int = 50,
    ) -> list[Signal]:
        """See ``Store.signals_of``."""
        from twiceshy.store import observe

        return observe.signals(self._db, sessions, mistakes, keys=keys, limit=limit)

    @looking
    def signatures(self) -> dict[str, Signature]:
        """See ``Store.signatures``."""
        from twiceshy.store import signatures

        return signatures.by_note(self._db)

    @looking
    def usage(self) -> list[Usage]:
        """See ``Store.usage``."""
        from twiceshy.store import sessions

        return sessions.usage(self._db)

    @looking
    def state(self, which: Filter) -> str:
        """See ``Store.state``."""
        from twiceshy.store import sessions

        return sessions.state(self._db, which)

    @looking
    def episodes(
        self, projects: Sequence[str], *, kinds: Sequence[str], since: int = 0, limit: int = 20
    ) -> list[Episode]:
        """See ``Store.episodes``."""
        from twiceshy.store import episodes

        return episodes.newest(self._db, projects, kinds=kinds, since=since, limit=limit)

    @looking
    def spendings(self, *, since: int = 0) -> list[Spending]:
        """See ``Store.spendings``."""
        from twiceshy.store import ledger

        return ledger.since(self._db, since)

    @looking
    def spent_on(self, material: str) -> bool:
        """See ``Store.spent_on``."""
        from twiceshy.store import ledger

        return ledger.done(self._db, material)

    @looking
    def outcomes(self, *, since: int = 0, note: str = "") -> list[Outcome]:
        """See ``Store.outcomes``."""
        from twiceshy.store import outcomes as kept

        return kept.since(self._db, since, note=note)

    @looking
    def sessions_of(self, scope: Scope) -> list[int]:
        """See ``Store.sessions_of``."""
        from twiceshy.core.scope import EVERYWHERE
        from twiceshy.store import outcomes as kept

        everywhere = scope.project == EVERYWHERE
        projects = () if everywhere else self.same_project(scope.project)
        return kept.began(self._db, scope.skill, projects)

    def health(self) -> Iterable[Finding]:
        """See ``Store.health``."""
        from twiceshy.store import health

        return health.health(self._db, self.path, now=self.now())

    def open_to_others(self) -> list[str]:
        """Return the files and folders of the memory home that others can read."""
        from twiceshy.store import health

        return list(health.open_to_others(self.path))

    def standing(self) -> Standing:
        """See ``Store.standing``."""
        from twiceshy.store import spool, standing

        waiting = spool.waiting(self._spool)
        return standing.standing(self._db, self.path, device=self.device, spooled=waiting)

    @property
    def device(self) -> str:
        """Return the id of this store among those that exchange journals."""
        if not self._device:
            row = self._db.execute("SELECT value FROM meta WHERE key = 'device'").fetchone()
            self._device = row[0] if row else ""
        return self._device

    @property
    def _spool(self) -> str:
        return os.path.join(os.path.dirname(self.path), "spool")

    def _explained(self, error: sqlite3.Error | UnicodeDecodeError) -> StoreError:
        if is_damage(error):
            suspect(self.path)
        return explain(error, self.path)
