"""Claude Code transcripts: where they are, whose they are, and how full their context is.

A folder name does not identify a project: ``/a/b-c`` and ``/a/b/c`` share one. So the file
itself tells its start directory.
"""

from __future__ import annotations

import os

from twiceshy.core.transcript import SummaryStep
from twiceshy.runtimes import transcript_files as files
from twiceshy.runtimes.claude_code.transcript_records import (
    RecordOrigin,
    compaction_trigger,
    translate_record,
)
from twiceshy.runtimes.jsonl import JsonLinesPass
from twiceshy.runtimes.records import get_count, get_text
from twiceshy.safety.names import check_session_id

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.transcript import Step
    from twiceshy.runtimes.records import Record

SETTING = "transcripts.claude_code"
transcript_size = files.transcript_size
_AGENT = "agent-"
_OPENING = 1 << 20  # bytes within which a file says whose it is
_SENT = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
_COMPACTED = "compact_boundary"


class ClaudeCodeRecords:
    """Claude Code records; the state is the reason of a running compaction."""

    # a record without any of these tells nothing of the conversation, and most are of that kind
    telling: tuple[bytes, ...] = (b'"message"', _COMPACTED.encode(), b"queued_command")
    hint = "Claude Code keeps transcripts below ~/.claude/projects; older ones are removed in time"

    def __init__(self, path: str) -> None:
        self._origin = _parse_origin(path)
        self.state = ""

    def steps(self, record: Record, made: str) -> Iterator[Step]:
        """Yield the steps of a record, in order."""
        if pending := compaction_trigger(record):
            self.state = pending
        origin = self._origin.but(id=made, automatic=self.state == "auto")
        for step in translate_record(record, origin):
            yield step
            if isinstance(step, SummaryStep):
                self.state = ""


def read_transcript(
    path: str, *, after: str = "", whole: bool = False, known: set[str] | None = None
) -> JsonLinesPass:
    """Return a pass over a transcript that yields its steps."""
    return JsonLinesPass(path, ClaudeCodeRecords(path), after=after, whole=whole, known=known)


def owns_transcript(path: str) -> bool:
    """True if a file may be a Claude Code transcript, by its name."""
    return path.endswith(files.SUFFIX)


def session_of_path(path: str) -> str:
    """Return the session named by a file."""
    return os.path.basename(path).removesuffix(files.SUFFIX)


def list_transcripts(projects: str) -> list[str]:
    """Return every transcript, oldest session first."""
    return files.sort_oldest_first(_list_files(projects), read_opening)


def find_transcript(session: str, projects: str) -> str:
    """Return the transcript of a session; empty if none or ambiguous."""
    name = check_session_id(session) + files.SUFFIX
    found = [path for path in _list_files(projects) if os.path.basename(path) == name]
    own = [path for path in found if read_opening(path).sessions in (frozenset(), {session})]
    return own[0] if len(own) == 1 else ""


def list_session_parts(path: str) -> list[str]:
    """Return a session's transcript and those of its agents."""
    folder, session = os.path.dirname(path), session_of_path(path)
    inside = _session_files(os.path.join(folder, session, "subagents"), agents=True)
    # for a while Claude Code put them beside the sessions
    near = _session_files(folder, agents=True)
    return [path, *inside, *(file for file in near if session in read_opening(file).sessions)]


def read_opening(path: str) -> files.TranscriptOpening:
    """Read start directory and time of a session."""
    sessions: set[str] = set()
    for record in files.read_first_records(path, _OPENING):
        cwd, at, session = (record.get(name) for name in ("cwd", "timestamp", "sessionId"))
        if isinstance(session, str):
            sessions.add(session)
        if isinstance(cwd, str) and cwd:
            return files.TranscriptOpening(
                frozenset(sessions), cwd, at if isinstance(at, str) else ""
            )
    return files.TranscriptOpening(frozenset(sessions))


def read_context_use(path: str) -> tuple[int, int]:
    """Return used and available tokens of a session's context; zeros if unknown."""
    for record in files.read_last_records(path, b'"usage"', _COMPACTED.encode()):
        if record.get("subtype") == _COMPACTED:
            after = get_count(record, "compactMetadata", "postTokens")
            return (after, files.context_window_of("")) if after else files.UNKNOWN_USE
        sent = sum(get_count(record, "message", "usage", name) for name in _SENT)
        own = record.get("type") == "assistant" and record.get("isSidechain") is not True
        if own and sent:  # what the client made up itself was sent to nobody
            return sent, files.context_window_of(get_text(record, "message", "model"))
    return files.UNKNOWN_USE


def _list_files(projects: str) -> Iterator[str]:
    for folder in files.list_folders(projects):
        yield from _session_files(folder)


def _session_files(folder: str, *, agents: bool = False) -> Iterator[str]:
    """Yield plain files named after a session, or those of agents."""
    for name in files.list_plain_files(folder):
        if name.startswith(_AGENT) == agents and files.is_session_id(
            name.removesuffix(files.SUFFIX)
        ):
            yield os.path.join(folder, name)


def _parse_origin(path: str) -> RecordOrigin:
    """Return the owner of a file by its name: a session, or an agent."""
    folder, stem = os.path.dirname(path), session_of_path(path)
    if not stem.startswith(_AGENT):
        return RecordOrigin(session=stem)
    above, last = os.path.split(folder)
    session = os.path.basename(above) if last == "subagents" else ""
    return RecordOrigin(session=session, agent=stem.removeprefix(_AGENT))
