"""Rewrite one wrong word of a pending call, where the user switched rewrites on."""

from __future__ import annotations

from twiceshy.core.trigger import FEWEST_FAILURES
from twiceshy.core.value import Value
from twiceshy.effect.slip import find_slip, split_plain_command
from twiceshy.recall.repeated_mistake import repeats_own_form

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.core.trigger import TriggerMatch

_FEWEST_REMEDIES = 3


class CallRewrite(Value):
    """A lesson, the word of a call that it replaces, and the new command line."""

    match: TriggerMatch
    wrong: str
    right: str
    command: str


def find_rewrite(matches: Iterable[TriggerMatch], command: str) -> CallRewrite | None:
    """Return the rewrite of a call by the first lesson that is certain; None for most calls."""
    words = split_plain_command(command)
    for match in sorted(matches, key=lambda each: (-each.failed_calls, each.note.id)):
        slip = find_slip(match.note) if words and _is_certain(match) else None
        is_same = slip and words.count(slip.wrong) == 1 and slip.right not in words
        if slip and is_same and repeats_own_form(match.note, command):
            changed = " ".join(slip.right if word == slip.wrong else word for word in words)
            return CallRewrite(match, slip.wrong, slip.right, changed)
    return None


def _is_certain(match: TriggerMatch) -> bool:
    """True if every call of a lesson failed, and its remedy worked often."""
    return (
        match.note.kind == "lesson"
        and match.note.source == "detector"
        and match.failed_calls >= FEWEST_FAILURES
        and not match.succeeded_calls
        and match.remedy_calls >= _FEWEST_REMEDIES
    )


def render_rewrite(rewrite: CallRewrite, *, tokens: int) -> str:
    """Render what the agent is told about its changed call."""
    from twiceshy.recall.brief import frame_note

    match = rewrite.match
    counted = f"all {match.failed_calls} such calls failed; changed, {match.remedy_calls} worked"
    changed = f"Your call was changed before it ran: {rewrite.wrong} to {rewrite.right}."
    return frame_note(match.note, lambda text: f"{changed} {text} ({counted})", tokens=tokens)
