"""The part of a store that sessions share, and what is learned from them: readings, triggers, evidence."""

from __future__ import annotations

from twiceshy.store.changing import Changing
from twiceshy.store.reading import looking

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from twiceshy.core.evidence import Exposure, Signal
    from twiceshy.core.session import Changed, Prompt, Session
    from twiceshy.core.store import Which
    from twiceshy.core.transcript_progress import Reading
    from twiceshy.core.trigger import Match


class Learning(Changing):
    """An open database that remembers what was learned from which transcript."""

    @looking
    def reading(self, path: str) -> Reading | None:
        """See ``Store.reading``."""
        from twiceshy.store import readings

        return readings.by_path(self._db, path)

    @looking
    def unfinished(self, *, before: int) -> list[Reading]:
        """See ``Store.unfinished``."""
        from twiceshy.store import readings

        return readings.unfinished(self._db, before=before)

    def keep_reading(self, reading: Reading) -> None:
        """See ``Store.keep_reading``."""
        from twiceshy.store import readings

        with self.change():
            state = readings.gated(reading.state, self._gate)
            readings.keep(self._db, reading.but(state=state))

    def new_session(self, session: str, project: str) -> bool:
        """See ``Store.new_session``."""
        from twiceshy.core.moment import DAY
        from twiceshy.core.retention import COPIES_DAYS
        from twiceshy.store import readings, triggers

        with self.change():
            if readings.met(self._db, session):
                return False
            triggers.age(self._db, project)
            readings.prune(self._db, before=self.now() - COPIES_DAYS * DAY)
            return True

    def copied(self, calls: Sequence[str], session: str) -> set[str]:
        """See ``Store.copied``."""
        from twiceshy.store import readings

        with self.change():
            known = readings.copied(self._db, calls)
            own = [call for call in calls if call not in known]
            readings.keep_calls(self._db, own, session, at=self.now())
            return known

    @looking
    def about_call(
        self,
        projects: Sequence[str],
        tool: str | None = None,
        grams: Sequence[str] | None = None,
        *,
        error: str = "",
        which: Which = "",
        context: str = "",
    ) -> list[Match]:
        """See ``Store.about_call``."""
        from twiceshy.store import triggers

        return triggers.matching(
            self._db, projects, tool, grams, error=error, which=which, context=context
        )

    @looking
    def triggers(self, projects: Sequence[str]) -> list[str]:
        """See ``Store.triggers``."""
        from twiceshy.store import triggers

        return triggers.written(self._db, projects)

    @looking
    def unread(self, *, before: int) -> list[Session]:
        """See ``Store.unread``."""
        from twiceshy.store import readings

        return readings.unread(self._db, before=before)

    def count_call(self, notes: Iterable[str], context: str, *, failed: bool) -> None:
        """See ``Store.count_call``."""
        from twiceshy.store import triggers

        with self.change():
            for note in notes:
                triggers.count(self._db, note, context, failed=failed)

    def count_form(self, note: str, *, failed: bool) -> int:
        """See ``Store.count_form``."""
        from twiceshy.store import triggers

        with self.change():
            return triggers.count_form(self._db, note, failed=failed)

    @looking
    def observed(self, project: str, kind: str, *, limit: int) -> list[Signal]:
        """See ``Store.observed``."""
        from twiceshy.store import readings

        return readings.observed(self._db, project, kind, limit=limit)

    def attest(
        self,
        note: str,
        signal: str,
        session: str,
        *,
        at: int,
        unseen: bool = False,
        lost_calls: int = 0,
        lost_ms: int = 0,
    ) -> bool:
        """See ``Store.attest``."""
        from twiceshy.store import readings, triggers

        with self.change():
            again = readings.taught(self._db, note, session)
            if not readings.attest(self._db, note, signal, session, at=at):
                return True
            triggers.made(self._db, note, unseen=unseen, lost_calls=lost_calls, lost_ms=lost_ms)
            return again

    def amend_signal(self, key: str, *, mistake: str, pair: str = "") -> None:
        """See ``Store.amend_signal``."""
        from twiceshy.store import readings

        with self.change():
            readings.amend(self._db, key, self._gate(mistake), pair)

    @looking
    def evidence(self, note: str) -> list[tuple[str, str, int]]:
        """See ``Store.evidence``."""
        from twiceshy.store import readings

        return readings.evidence(self._db, note)

    @looking
    def taught_by(self, session: str) -> Mapping[str, int]:
        """See ``Store.taught_by``."""
        from twiceshy.store import readings

        return readings.taught_by(self._db, session)

    @looking
    def wordings(self, note: str, *, most: int = 2) -> list[str]:
        """See ``Store.wordings``."""
        from twiceshy.store import readings

        return readings.wordings(self._db, note, most=most)

    @looking
    def shown(self, note: str, *, limit: int = 5) -> list[Exposure]:
        """See ``Store.shown``."""
        from twiceshy.store import readings

        return readings.shown(self._db, note, limit=limit)

    @looking
    def lost(self, notes: Iterable[str]) -> Mapping[str, tuple[int, int]]:
        """See ``Store.lost``."""
        from twiceshy.store import triggers

        return triggers.lost(self._db, notes)

    # what sessions know of each other

    @looking
    def mark(self) -> int:
        """See ``Together.mark``."""
        row = self._db.execute("SELECT value FROM meta WHERE key = 'clock'").fetchone()
        return int(row[0]) if row else 0

    @looking
    def changed(
        self, projects: Sequence[str], *, since: int, but: str = "", kinds: Sequence[str]
    ) -> list[Changed]:
        """See ``Together.changed``."""
        from twiceshy.store import sessions

        return sessions.changed(
            self._db, projects, since=since, but=but, kinds=kinds, device=self.device
        )

    @looking
    def was_shown(self, key: str) -> bool:
        """See ``Together.was_shown``."""
        from twiceshy.store import sessions

        return sessions.was_shown(self._db, key)

    @looking
    def caller(self, call: str, projects: Sequence[str] = ()) -> str:
        """See ``Together.caller``."""
        from twiceshy.store import sessions

        return sessions.caller(self._db, call, projects, now=self.now())

    def count_prompt(self, prompt: Prompt) -> None:
        """See ``Together.count_prompt``."""
        from twiceshy.store import sessions

        if not self.session(prompt.session):
            place = {name: self._gate(getattr(prompt, name)) for name in ("root", "transcript")}
            prompt = prompt.but(**place)
        with self.change():
            sessions.count_prompt(self._db, prompt)

    def fill(self, session: str, percent: int) -> None:
        """See ``Together.fill``."""
        from twiceshy.store import sessions

        with self.change():
            sessions.fill(self._db, session, percent)
