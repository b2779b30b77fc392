"""Gemini CLI chats: appended lines, some of them repeating earlier content.

A message is rewritten whenever extended, and the conversation whenever changed by the
client. So only new parts of a message count, and of a conversation only its summary.
"""

from __future__ import annotations

import os
from zlib import crc32

from twiceshy.core.value import Value
from twiceshy.runtimes import jsonl
from twiceshy.runtimes.gemini import outcome, transcript_records
from twiceshy.runtimes.gemini.transcript_places import (
    CHATS,
    SUFFIX,
    everywhere,
    opening_of,
    parts_of,
    session_of,
    transcript_of,
)
from twiceshy.runtimes.jsonl import size_of, text_at
from twiceshy.safety.names import session_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

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

SETTING = "transcripts.gemini"


class Seen(Value):
    """State of reading: last message, its calls, last summary, and copying."""

    message: str = ""
    calls: int = 0
    summary: str = ""
    copying: bool = False

    def written(self) -> str:
        """Return the state as a word; empty if nothing was seen."""
        if self == Seen():
            return ""
        return f"{self.message}.{self.calls}.{self.summary}.{'c' if self.copying else ''}"

    @classmethod
    def parsed(cls, text: str) -> Seen:
        """Parse a state."""
        message, calls, summary, copying, *_ = [*text.split("."), "", "", "", ""]
        return cls(message, int(calls) if calls.isdecimal() else 0, summary, copying == "c")


class Records:
    """Gemini CLI records; the state is the last content seen."""

    telling: tuple[bytes, ...] = (b'"type"', b'"messages"')
    hint = "Gemini CLI keeps chats below ~/.gemini/tmp; older ones are removed in time"

    def __init__(self, path: str, session: str) -> None:
        agent = os.path.basename(path).removesuffix(SUFFIX) if _is_agents(path) else ""
        own = session_of(path)
        self._origin = transcript_records.Origin(own, opening_of(path).cwd, agent)
        self._foreign = bool(session) and session != own
        self.state = ""

    def steps(self, record: Record, made: str) -> Iterator[Step]:
        """Yield the new steps of a record, in order."""
        if self._foreign:
            return
        seen = Seen.parsed(self.state)
        patch = record.get("$set")
        if isinstance(patch, dict):
            if "messages" in patch:
                seen = yield from self._summary(patch.get("messages"), seen.but(copying=False))
        elif _introduces(record):
            seen = seen.but(copying=True)  # message by message, until the conversation is set
        elif not seen.copying:
            seen = yield from self._message(record, made, seen)
        self.state = seen.written()

    def _summary(self, messages: object, seen: Seen) -> Generator[Step, None, Seen]:
        for step in transcript_records.summary_of(messages, self._origin):
            if (mark := _mark(step.id)) != seen.summary:
                yield step
                seen = seen.but(summary=mark)
        return seen

    def _message(self, record: Record, made: str, seen: Seen) -> Generator[Step, None, Seen]:
        match record.get("type"):
            case "user":
                yield from transcript_records.said_by_user(record, self._origin, made)
            case "info":
                yield from transcript_records.said_by_client(record, self._origin, made)
            case "gemini":
                message = _mark(text_at(record, "id") or made)
                known = seen.calls if message == seen.message else 0
                if message != seen.message:
                    yield from transcript_records.said_by_agent(record, self._origin, made)
                calls = transcript_records.calls_of(record)
                yield from transcript_records.called(calls[known:], record, self._origin, made)
                return seen.but(message=message, calls=max(known, len(calls)))
            case _:
                pass
        return seen


def read(
    path: str,
    *,
    after: str = "",
    whole: bool = False,
    known: set[str] | None = None,
    session: str = "",
) -> jsonl.Reading:
    """Return a pass over a transcript that yields its steps.

    ``after`` is the position of an earlier pass: only later content is read, everything if the
    file shrank or was replaced. ``known`` are the keys of steps read before, in this file or
    another; the pass adds to the set. With ``session``, records of other sessions are skipped.
    """
    if session:
        session_name(session)
    return jsonl.Reading(
        path, after, set() if known is None else known, Records(path, session), whole=whole
    )


def wrote(path: str) -> bool:
    """True if a path is a Gemini CLI chat, or an agent's."""
    above, name = os.path.split(path)
    own = os.path.basename(above) == CHATS and name.startswith("session-")
    return name.endswith(SUFFIX) and (own or _is_agents(path))


def _is_agents(path: str) -> bool:
    return os.path.basename(os.path.dirname(os.path.dirname(path))) == CHATS


def _introduces(record: Record) -> bool:
    """True if a record introduces the client: a full copy follows."""
    text = outcome.text_of(record.get("content")) if record.get("type") == "user" else ""
    return text.startswith(transcript_records.INTRODUCTION)


def _mark(name: str) -> str:
    return f"{crc32(name.encode('utf-8', 'replace')):08x}"
