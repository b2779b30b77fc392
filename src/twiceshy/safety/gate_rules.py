"""Whose words a stored text is judged as; knows no pattern, so that it costs nothing to ask."""

from __future__ import annotations

from twiceshy.core.trust import ORIGINS
from twiceshy.core.verdict import OWN, GateVerdict

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.evidence import Episode
    from twiceshy.core.note import Note

GATE_RULES = 1  # raise it when what is dangerous changes: everything is judged again
ORDERED = "user"  # a sentence that the user said to an agent
LEARNED = "command"  # made of calls that ran: their danger was looked at when it was learned
SAID = "assistant"  # the own note of an agent
ELSEWHERE = "output"  # anything else, and whatever came from elsewhere
REJECTED = "rejected by you"  # the reason of what the user does not want to be told


def find_origin(note: Note, *, arrived: bool) -> str:
    """Return whose words a note is judged as; what arrived may claim any source."""
    if arrived:
        return ELSEWHERE
    if note.source == "detector":
        return ORDERED if note.kind == "preference" else LEARNED
    return SAID if note.source == "agent" else ELSEWHERE


def find_earlier_origin(note: Note, *, arrived: bool) -> str:
    """Return whose words a note is judged as that was written before there was a gate."""
    is_believed = note.trust >= ORIGINS["user"] and note.source != "detector"
    return OWN if is_believed and not arrived else find_origin(note, arrived=arrived)


def vouch_for(found: Note | Episode) -> GateVerdict:
    """Return the verdict about what a person wrote or accepted."""
    return GateVerdict(found.id, found.told_content, origin=OWN, rules=GATE_RULES)
