"""How a note was learned: from which calls, how often its trigger was right, and to whom it was shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.moment import day
from twiceshy.core.note import handle
from twiceshy.core.text import one_line
from twiceshy.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.note import Note
    from twiceshy.core.store import Store

_MOST = 5
_LONGEST = 120


class HowLearned(Value):
    """What the store knows about how a note came to be, ready to be printed."""

    trigger: str
    failed: int
    worked: int
    odds: float | None
    lost_calls: int
    lost_seconds: float
    superseded_by: str
    evidence: tuple[str, ...]
    shown: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """Yield what there is to say, one line each."""
        if self.superseded_by:
            yield f"superseded: by {self.superseded_by}"
        if self.trigger:
            yield f"trigger:    {self.trigger}"
        if self.odds is not None:
            counted = f"{self.failed} failed, {self.worked} worked"
            yield f"such calls: {counted}; the next one fails by {self.odds:.0%}"
        if self.lost_calls:
            yield f"took:       {self.lost_calls} calls, {self.lost_seconds:.0f} s so far"
        for text in self.evidence:
            yield f"learned:    {text}"
        for text in self.shown:
            yield f"was shown:  {text}"


def how_learned(store: Store, note: Note) -> HowLearned:
    """Collect how a note was learned."""
    about = store.about_call((note.scope.project,)) if note.trigger else []
    match = next((each for each in about if each.note.id == note.id), None)
    keys = [key for key, *_ in store.evidence(note.id)[:_MOST]]
    signals = store.signals_of(keys=keys, limit=_MOST) if keys else []
    return HowLearned(
        trigger=note.trigger,
        failed=match.right if match else 0,
        worked=match.wrong if match else 0,
        odds=match.odds if match else None,
        lost_calls=match.lost_calls if match else 0,
        lost_seconds=match.lost_ms / 1000 if match else 0.0,
        superseded_by=handle(note.superseded_by) if note.superseded_by else "",
        evidence=tuple(
            one_line(
                f"{day(one.at)} in {one.session}: {one.target}: {one.excerpt}", limit=_LONGEST
            )
            for one in signals
        ),
        shown=tuple(
            f"{day(one.at)} in {one.session}, {_how(one.channel)}"
            + (", but withheld" if one.withheld else "")
            for one in store.exposures(note=note.id, limit=_MOST)
        ),
    )


def _how(channel: str) -> str:
    said = {"call": "before a call", "failure": "at a failure", "prompt": "at a prompt"}
    said |= {"start": "at the start", "skill": "with its skill", "read": "with its SKILL.md"}
    return said.get(channel, channel)
