"""The part of the store port that learning asks: transcripts, evidence, and what came of notes."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Protocol

    from twiceshy.core.evidence import Signal
    from twiceshy.core.model_ledger import Spending
    from twiceshy.core.outcome import Outcome
    from twiceshy.core.scope import Scope
    from twiceshy.core.session import Usage
    from twiceshy.core.transcript_progress import Reading
else:
    Protocol = object


class LearningStore(Protocol):
    """The part of a store that learning asks: transcripts, evidence, and what came of notes."""

    def reading(self, path: str) -> Reading | None:
        """Return how far a transcript was read."""

    def unfinished(self, *, before: int) -> list[Reading]:
        """Return the transcripts that were not read to their end, and not touched since then.

        Those of which nothing was read come last, from their beginning.
        """

    def copied(self, calls: Sequence[str], session: str, *, project: str) -> set[str]:
        """Return which calls of a session were met before; the others are its own from now on.

        A session of which nothing was read yet makes what happened in its project older.
        """

    def signals_of(
        self,
        project: str = "",
        kind: str = "",
        *,
        sessions: Sequence[str] = (),
        mistakes: Sequence[str] = (),
        keys: Sequence[str] = (),
        limit: int = 50,
    ) -> list[Signal]:
        """Return what of one kind was observed in a project, and these other signals, last first.

        Others are those of some sessions, those of some mistakes, and those with some keys.
        """

    def count_call(self, notes: Iterable[str], context: str, *, failed: bool) -> Mapping[str, int]:
        """Count that a call which these notes are about failed, or worked, in some context.

        Return how often such a call worked there, for each note, since it failed last.
        """

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
        """Remember what a note was learned from; True if that, or another call of the session, was."""

    def evidence(self, note: str) -> list[tuple[str, str, int]]:
        """Return signal, session and time of all that a note was learned from, the newest first."""

    def outcomes(self, *, since: int = 0, note: str = "") -> list[Outcome]:
        """Return what came of what was shown or withheld since then, the oldest first."""

    def sessions_of(self, scope: Scope) -> list[int]:
        """Return when each session began that could use notes of a scope, in order."""

    def usage(self) -> list[Usage]:
        """Count the sessions that used each skill."""

    def spendings(self, *, since: int = 0) -> list[Spending]:
        """Return what models were asked for since then, the oldest first."""
