"""Claude Code transcripts: owner of a file, and relevant records."""

from __future__ import annotations

import os

from twiceshy.core.transcript import Summarised
from twiceshy.runtimes import jsonl
from twiceshy.runtimes.claude_code.transcript_places import (
    everywhere,
    opening_of,
    parts_of,
    transcript_of,
)
from twiceshy.runtimes.claude_code.transcript_records import Origin, steps_of, trigger
from twiceshy.runtimes.jsonl import size_of
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

SETTING = "transcripts.claude_code"
_SUFFIX = ".jsonl"


class Reading(jsonl.Reading):
    """A pass over a file; ``foreign`` records belong to another session."""

    def __init__(
        self, path: str, after: str, known: set[str], records: Records, *, whole: bool
    ) -> None:
        super().__init__(path, after, known, records, whole=whole)
        self._records = records

    @property
    def foreign(self) -> int:
        """Return the number of foreign records."""
        return self._records.foreign


class Records:
    """Claude Code records; the state is the reason of a running compaction."""

    # a record without any of these tells nothing of the conversation, and most are of that kind
    telling: tuple[bytes, ...] = (b'"message"', b"compact_boundary", b"queued_command")
    hint = "Claude Code keeps transcripts below ~/.claude/projects; older ones are removed in time"

    def __init__(self, path: str, session: str) -> None:
        self._origin = _origin(path)
        self._session = session
        self.foreign = 0
        self.state = ""

    def steps(self, record: Record, made: str) -> Iterator[Step]:
        """Yield the steps of a record, in order."""
        named = record.get("sessionId")
        if self._session and isinstance(named, str) and named != self._session:
            self.foreign += 1
            return
        if pending := trigger(record):
            self.state = pending
        origin = self._origin.but(id=made, automatic=self.state == "auto")
        for step in steps_of(record, origin):
            yield step
            if isinstance(step, Summarised):
                self.state = ""


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


def wrote(path: str) -> bool:
    """True if a file may be a Claude Code transcript, by its name."""
    return path.endswith(_SUFFIX)


def session_of(path: str) -> str:
    """Return the session named by a file."""
    return os.path.basename(path).removesuffix(_SUFFIX)


def _origin(path: str) -> Origin:
    """Return the owner of a file by its name: a session, or an agent."""
    folder, name = os.path.split(path)
    stem = name.removesuffix(_SUFFIX)
    if not stem.startswith("agent-"):
        return Origin(session=stem)
    above, last = os.path.split(folder)
    session = os.path.basename(above) if last == "subagents" else ""
    return Origin(session=session, agent=stem.removeprefix("agent-"))
