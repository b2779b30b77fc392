"""One-word slips: a lesson whose working form differs from the failing form in one word."""

from __future__ import annotations

from twiceshy.core.trigger import parse_trigger, read_evidence
from twiceshy.core.value import Value
from twiceshy.effect.advice import find_forms
from twiceshy.shell.command_line import parse_command_line

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection

    from twiceshy.core.note import Note

_SHELL = "Bash"
_CUT = "…"


class WordSlip(Value):
    """The wrong word, the right word, and the words of a call that uses the right one."""

    wrong: str
    right: str
    remedy: frozenset[str]


def find_slip(note: Note) -> WordSlip | None:
    """Return the one-word slip of a lesson; None for any other mistake."""
    trigger = parse_trigger(note.trigger)
    if trigger is None or trigger.tool != _SHELL or trigger.category != "usage" or trigger.absent:
        return None
    bad, good = map(split_plain_command, find_forms(note))
    pairs = [pair for pair in zip(bad, good, strict=False) if pair[0] != pair[1]]
    if not bad or len(bad) != len(good) or len(pairs) != 1:
        return None
    ((wrong, right),) = pairs
    if wrong not in trigger.words or bad[0] == wrong:
        return None  # another program is another call
    return WordSlip(wrong, right, frozenset(trigger.words) - {wrong} | {right})


def list_slip_words(note: Note) -> frozenset[str]:
    """Return the words among which the right one is, if a note is about a one-word slip."""
    named = note.trigger.partition(" ")[0]
    if named != f"{_SHELL}/usage":
        return frozenset()
    return frozenset(
        word for span in read_evidence(note).split("`")[1::2] for word in span.split()
    )


def may_be_remedy(note: Note, part: Collection[str]) -> bool:
    """False only if a part of a call lacks more of the words of a note than the wrong one."""
    trigger = parse_trigger(note.trigger)
    return trigger is not None and sum(word not in part for word in trigger.words) <= 1


def split_plain_command(line: str) -> tuple[str, ...]:
    """Return the words of a line that is one plain command; empty for anything else.

    A plain command has no operator, redirection, quote, variable or substitution.
    """
    if _CUT in line or "\n" in line:
        return ()
    parsed = parse_command_line(line)
    if not parsed.is_complete or len(parsed.commands) != 1:
        return ()
    words = tuple(line.split())
    return words if parsed.commands[0].words == words else ()
