"""Codex rollouts: owner of a file, and relevant records."""

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
    """Codex records.

    The state is the set of calls with an early result, whose later result repeats it; or the
    fact of reading a copied thread.
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
        """Yield the steps of a record, in order."""
        if self._foreign or self._within_copy(record):
            return
        thread = self._thread
        origin = Origin(thread.session, thread.agent, thread.cwd, made)
        early = record.get("type") == "event_msg"
        for step in steps_of(record, origin):
            if not isinstance(step, Result) or self._is_news(step, early=early):
                yield step

    def _within_copy(self, record: Record) -> bool:
        """True if a record was copied from the continued thread."""
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
    """Return a pass over a transcript that yields its steps.

    ``after`` is the position of an earlier pass: only later content is read, everything if the
    file shrank or was replaced. ``known`` are the keys of steps read before, in this file or
    another; the pass adds to the set. With ``session``, records of other sessions are skipped.
    """
    if session:
        session_name(session)
    return Reading(
        path, after, set() if known is None else known, Records(path, session), whole=whole
    )
