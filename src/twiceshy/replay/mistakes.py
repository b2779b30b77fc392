"""Mistakes that came back: how often, at which cost, and what notes would have done about each."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from twiceshy.core.value import Value
from twiceshy.replay.score import count_saved_turns, judge_recurrence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.replay.failures import Recurrence
    from twiceshy.replay.score import Fate, PlayedSession
    from twiceshy.replay.words import WordRarity


class RepeatedMistake(Value):
    """A mistake that came back in a project: its call, its error, and what put it right.

    ``lost`` are the turns of all recurrences; the first sighting counts nowhere.
    """

    project: str
    called: str
    error: str
    fixed: str
    times: int
    lost: int
    prevented: int
    stopped: int
    repaired: int
    saved: int


def list_repeated_mistakes(
    played: Iterable[PlayedSession], policy: str, rarity: WordRarity
) -> list[RepeatedMistake]:
    """Return every mistake that came back and that a note can prevent, the dearest first."""
    found: dict[tuple[str, str], list[tuple[Recurrence, Fate]]] = {}
    for session in played:
        shown = session.shown.get(policy, ())
        for again in session.recurrences:
            if again.failure.is_preventable:
                fate = judge_recurrence(again, shown, rarity)
                found.setdefault((session.project, again.mistake), []).append((again, fate))
    mistakes = [_sum_mistake(project, some) for (project, _), some in found.items()]
    return sorted(mistakes, key=lambda each: (-each.lost, -each.times, each.project, each.called))


def _sum_mistake(project: str, some: list[tuple[Recurrence, Fate]]) -> RepeatedMistake:
    first, fates = some[0][0], Counter(fate for _, fate in some)
    cases = [*first.earlier, *(again.failure for again, _ in some)]
    fixed = next((each.fixed for each in cases if each.fixed), "")
    return RepeatedMistake(
        project=project,
        called=first.failure.called,
        error=first.failure.line,
        fixed=fixed,
        times=len(some),
        lost=sum(again.failure.lost for again, _ in some),
        prevented=fates["prevented"],
        stopped=fates["stopped"],
        repaired=fates["repaired"],
        saved=sum(count_saved_turns(again.failure, fate) for again, fate in some),
    )
