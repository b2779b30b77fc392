"""Recognise the lessons that concern a session whose context was compacted.

What was told at its start is lost then, and most of it was about programs that the session never
used. The transcript says which ones it did use: its bytes are searched, as parsing takes longer.
"""

from __future__ import annotations

import os

from twiceshy.recall.claim_first_use import names_program

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from twiceshy.core.trigger import TriggerMatch
    from twiceshy.recall.event_context import EventContext

_COMMAND = b'"command":'
_MOST_READ = 16 << 20  # bytes of a transcript, those at its end
_LONGEST = 4_096  # bytes of a command that are looked at
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)


def recognise_concerns(context: EventContext) -> Callable[[TriggerMatch], bool]:
    """Return a test for lessons that a session was told on an occasion, or whose program it used."""
    shown = context.session_exposures()
    met = {one.note for one in shown if one.channel != "start" and not one.withheld}
    commands = b"\n".join(_list_commands(_read_end(context.event.transcript)))

    def concerns(match: TriggerMatch) -> bool:
        program = match.program.encode("utf-8", "replace")
        return match.note.id in met or names_program(commands, program)

    return concerns


def _read_end(path: str) -> bytes:
    """Return the end of a transcript; nothing if a client keeps none, or it cannot be read."""
    try:
        handle = os.open(path, _READ)
    except OSError:
        return b""
    with open(handle, "rb") as file:
        try:
            file.seek(max(0, os.fstat(handle).st_size - _MOST_READ))
            return file.read(_MOST_READ)
        except OSError:
            return b""  # a folder, or a pipe


def _list_commands(transcript: bytes) -> Iterator[bytes]:
    """Yield the commands of a transcript, each between its quotation marks."""
    at = transcript.find(_COMMAND)
    while at >= 0:
        begin = transcript.find(b'"', at + len(_COMMAND))
        end = transcript.find(b'"', begin + 1)
        while end > 0 and _is_escaped(transcript, end):
            end = transcript.find(b'"', end + 1)
        if begin < 0 or end < 0:
            return
        yield transcript[begin : min(end, begin + _LONGEST)] + b'"'
        at = transcript.find(_COMMAND, end)


def _is_escaped(text: bytes, at: int) -> bool:
    before = text[max(0, at - 64) : at]
    return (len(before) - len(before.rstrip(b"\\"))) % 2 == 1
