"""Codex's rollouts: whose a file is, and which of its records tell something."""

from __future__ import annotations

from twiceshy.core.transcript import Result
from twiceshy.runtimes.codex.transcript_places import (
    everywhere,
    opening_of,
    parts_of,
    session_of,
    thread_of,
    transcript_of,
    wrote,
)
from twiceshy.runtimes.codex.transcript_records import NESTED, Origin, steps_of
from twiceshy.runtimes.jsonl import Reading, size_of, text_at
from twiceshy.safety.names import session_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.transcript import Step
    from twiceshy.runtimes.jsonl import Record

__all__ = [
    "everywhere",
    "opening_of",
    "parts_of",
    "read",
    "session_of",
    "size_of",
    "transcript_of",
    "wrote",
]

SETTING = "transcripts.codex"
_COPY = "copy"
_BETWEEN = ","
_MOST_EARLY = 16


class Records:
    """What Codex writes down.

    The state is the calls whose result was told before the model was sent it, which comes later and
    says the same; or that a copy of another thread is being read.
    """

    telling: tuple[bytes, ...] = (
        b'"response_item"',
        b'"event_msg"',
        b'"compacted"',
        b"session_meta",
    )
    hint = (
        "Codex keeps rollouts below ~/.codex/sessions, archived ones in ~/.codex/archived_sessions"
    )

    def __init__(self, path: str, session: str) -> None:
        self._thread = thread_of(path)
        self._foreign = bool(session) and session != self._thread.session
        self.state = ""

    def steps(self, record: Record, made: str) -> Iterator[Step]:
        """Yield what a record tells, in order."""
        if self._foreign or self._within_copy(record):
            return
        thread = self._thread
        origin = Origin(thread.session, thread.agent, thread.cwd, made)
        early = record.get("type") == "event_msg"
        for step in steps_of(record, origin):
            if not isinstance(step, Result) or self._is_news(step, early=early):
                yield step

    def _within_copy(self, record: Record) -> bool:
        """Tell whether a record was copied from the thread that this one goes on with."""
        if record.get("type") == "session_meta":
            if text_at(record, "payload", "id") == self._thread.id and self._thread.copied:
                self.state = _COPY
            return True
        if self.state == _COPY and text_at(record, "payload", "thread_id") == self._thread.id:
            self.state = ""
        return self.state == _COPY

    def _is_news(self, step: Result, *, early: bool) -> bool:
        known = [each for each in self.state.split(_BETWEEN) if each]
        again = step.id in known
        if again:
            known.remove(step.id)
        elif early and not step.id.startswith(NESTED) and _BETWEEN not in step.id:
            known.append(step.id)
        self.state = _BETWEEN.join(known[-_MOST_EARLY:])
        return not again


def read(
    path: str,
    *,
    after: str = "",
    whole: bool = False,
    known: set[str] | None = None,
    session: str = "",
) -> Reading:
    """Return a pass over a rollout that yields its steps.

    ``after`` is the position of an earlier pass: only what came later is read, all of it if the file
    shrank or was replaced, or if ``whole`` asks for it. ``known`` are the keys of steps that were read before, in this file or in
    another; the pass adds to it. With ``session`` a rollout of another session tells nothing.
    """
    if session:
        session_name(session)
    return Reading(
        path, after, set() if known is None else known, Records(path, session), whole=whole
    )
