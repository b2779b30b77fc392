"""The part of the store port for learning: transcripts, evidence and outcomes."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Protocol

    from twiceshy.core.model_ledger import ModelCall
    from twiceshy.core.outcome import Outcome
    from twiceshy.core.scope import Scope
    from twiceshy.core.session import SessionSources, SkillUsage
    from twiceshy.core.transcript import TranscriptProgress
else:
    Protocol = object


class LearningStore(Protocol):
    """The part of the store port for learning: transcripts, evidence and outcomes."""

    def list_progress(self, path: str = "", *, before: int = 0) -> list[TranscriptProgress]:
        """Return the progress of a transcript, or transcripts unfinished and untouched since a time.

        Unread transcripts come last, with their position at the beginning.
        """

    def list_session_sources(self) -> list[SessionSources]:
        """Return the sessions with a prompt or a reading, with what was read of each."""

    def register_calls(self, calls: Sequence[str], session: str, *, project: str) -> set[str]:
        """Return the calls seen before; assign the new calls to this session.

        For a session without reading progress, older mistakes of its project age by one session.
        """

    def mark_programs(self, programs: Iterable[str], *, project: str) -> None:
        """Record that the newest session of a project used these programs."""

    def count_call(
        self, notes: Iterable[str], context: str, *, failed: bool, ran_ms: int = 0
    ) -> Mapping[str, int]:
        """Count a failed or successful call for these notes in a context, and its running time.

        Return for each note the number of successful calls in this context since the last failure.
        """

    def record_evidence(
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
        """Record the evidence of a note; True if signal or session was evidence before."""

    def list_evidence(self, note: str) -> list[tuple[str, str, int]]:
        """Return signal, session and time of a note's evidence, newest first."""

    def list_outcomes(self, *, since: int = 0, note: str = "") -> list[Outcome]:
        """Return the outcomes of exposures since a time, oldest first."""

    def list_session_starts(self, scope: Scope) -> list[int]:
        """Return the start times of sessions able to use notes of a scope, sorted."""

    def count_skill_usage(self) -> list[SkillUsage]:
        """Count the sessions using each skill."""

    def list_model_calls(self, *, since: int = 0) -> list[ModelCall]:
        """Return the model calls since a time, oldest first."""


def find_progress(store: LearningStore, path: str) -> TranscriptProgress | None:
    """Return the reading progress of a transcript; None if it was never read."""
    return next(iter(store.list_progress(path)), None)
