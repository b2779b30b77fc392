"""Claude Code transcripts: owner of a file, and relevant records."""

from __future__ import annotations

import os

from twiceshy.core.transcript import SummaryStep
from twiceshy.runtimes import jsonl
from twiceshy.runtimes.claude_code.transcript_places import (
    find_transcript,
    list_session_parts,
    list_transcripts,
    read_opening,
)
from twiceshy.runtimes.claude_code.transcript_records import (
    RecordOrigin,
    compaction_trigger,
    translate_record,
)
from twiceshy.runtimes.jsonl import transcript_size
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

SETTING = "transcripts.claude_code"
_SUFFIX = ".jsonl"


class TranscriptPass(jsonl.JsonLinesPass):
    """A pass over a file; ``foreign`` records belong to another session."""

    def __init__(
        self, path: str, after: str, known: set[str], records: ClaudeCodeRecords, *, whole: bool
    ) -> None:
        super().__init__(path, after, known, records, whole=whole)
        self._records = records

    @property
    def foreign_count(self) -> int:
        """Return the number of foreign records."""
        return self._records.foreign


class ClaudeCodeRecords:
    """Claude Code records; the state is the reason of a running compaction."""

    # a record without any of these tells nothing of the conversation, and most are of that kind
    telling: tuple[bytes, ...] = (b'"message"', b"compact_boundary", b"queued_command")
    hint = "Claude Code keeps transcripts below ~/.claude/projects; older ones are removed in time"

    def __init__(self, path: str, session: str) -> None:
        self._origin = _parse_origin(path)
        self._session = session
        self.foreign = 0
        self.state = ""

    def steps(self, record: Record, made: str) -> Iterator[Step]:
        """Yield the steps of a record, in order."""
        named = record.get("sessionId")
        if self._session and isinstance(named, str) and named != self._session:
            self.foreign += 1
            return
        if pending := compaction_trigger(record):
            self.state = pending
        origin = self._origin.but(id=made, automatic=self.state == "auto")
        for step in translate_record(record, origin):
            yield step
            if isinstance(step, SummaryStep):
                self.state = ""


def read_transcript(
    path: str,
    *,
    after: str = "",
    whole: bool = False,
    known: set[str] | None = None,
    session: str = "",
) -> TranscriptPass:
    """Return a pass over a transcript that yields its steps.

    ``after`` is the position of an earlier pass: only later content is read, everything if the
    file shrank or was replaced. ``known`` are the keys of steps read before, in this file or
    another; the pass adds to the set. With ``session``, records of other sessions are skipped.
    """
    if session:
        check_session_id(session)
    return TranscriptPass(
        path,
        after,
        set() if known is None else known,
        ClaudeCodeRecords(path, session),
        whole=whole,
    )


def owns_transcript(path: str) -> bool:
    """True if a file may be a Claude Code transcript, by its name."""
    return path.endswith(_SUFFIX)


def session_of_path(path: str) -> str:
    """Return the session named by a file."""
    return os.path.basename(path).removesuffix(_SUFFIX)


def _parse_origin(path: str) -> RecordOrigin:
    """Return the owner of a file by its name: a session, or an agent."""
    folder, name = os.path.split(path)
    stem = name.removesuffix(_SUFFIX)
    if not stem.startswith("agent-"):
        return RecordOrigin(session=stem)
    above, last = os.path.split(folder)
    session = os.path.basename(above) if last == "subagents" else ""
    return RecordOrigin(session=session, agent=stem.removeprefix("agent-"))
