"""Codex rollouts: owner of a file, and relevant records."""

from __future__ import annotations

from twiceshy.core.transcript import ResultStep
from twiceshy.runtimes.codex.transcript_places import (
    find_transcript,
    list_session_parts,
    list_transcripts,
    owns_transcript,
    read_header,
    read_opening,
    session_of_path,
)
from twiceshy.runtimes.codex.transcript_records import NESTED, RolloutOrigin, translate_record
from twiceshy.runtimes.jsonl import JsonLinesPass, get_text, transcript_size
from twiceshy.safety.names import check_session_id

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.transcript import Step
    from twiceshy.runtimes.jsonl import Record

__all__ = [
    "find_transcript",
    "list_session_parts",
    "list_transcripts",
    "owns_transcript",
    "read_opening",
    "read_transcript",
    "session_of_path",
    "transcript_size",
]

SETTING = "transcripts.codex"
_COPY = "copy"
_BETWEEN = ","
_MOST_EARLY = 16


class CodexRecords:
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
        self._thread = read_header(path)
        self._foreign = bool(session) and session != self._thread.session
        self.state = ""

    def steps(self, record: Record, made: str) -> Iterator[Step]:
        """Yield the steps of a record, in order."""
        if self._foreign or self._is_copied(record):
            return
        thread = self._thread
        origin = RolloutOrigin(thread.session, thread.agent, thread.cwd, made)
        early = record.get("type") == "event_msg"
        for step in translate_record(record, origin):
            if not isinstance(step, ResultStep) or self._is_new_result(step, early=early):
                yield step

    def _is_copied(self, record: Record) -> bool:
        """True if a record was copied from the continued thread."""
        if record.get("type") == "session_meta":
            if get_text(record, "payload", "id") == self._thread.id and self._thread.copied:
                self.state = _COPY
            return True
        if self.state == _COPY and get_text(record, "payload", "thread_id") == self._thread.id:
            self.state = ""
        return self.state == _COPY

    def _is_new_result(self, step: ResultStep, *, early: bool) -> bool:
        known = [each for each in self.state.split(_BETWEEN) if each]
        again = step.id in known
        if again:
            known.remove(step.id)
        elif early and not step.id.startswith(NESTED) and _BETWEEN not in step.id:
            known.append(step.id)
        self.state = _BETWEEN.join(known[-_MOST_EARLY:])
        return not again


def read_transcript(
    path: str,
    *,
    after: str = "",
    whole: bool = False,
    known: set[str] | None = None,
    session: str = "",
) -> JsonLinesPass:
    """Return a pass over a transcript that yields its steps.

    ``after`` is the position of an earlier pass: only later content is read, everything if the
    file shrank or was replaced. ``known`` are the keys of steps read before, in this file or
    another; the pass adds to the set. With ``session``, records of other sessions are skipped.
    """
    if session:
        check_session_id(session)
    return JsonLinesPass(
        path, after, set() if known is None else known, CodexRecords(path, session), whole=whole
    )
