"""Score shown notes against failures; a note counts only for later calls.

Covered means shown in time, not prevented: a transcript cannot tell whether the agent would
have listened. Every figure is an upper bound.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.value import Value
from twiceshy.core.worth import NINETY_FIVE, wilson
from twiceshy.replay.lesson import about, forms_of, says

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from twiceshy.replay.failures import Failure, Recurrence
    from twiceshy.replay.lesson import Form
    from twiceshy.replay.words import Rarity, Words

AT_START = -1


class Shown(Value):
    """Notes shown at a place of a session.

    ``call`` is the related call, if any: pending if equal to ``place``, finished otherwise.
    ``worked`` tells whether the call succeeded.
    """

    place: int
    items: tuple[Words, ...]
    tokens: int
    call: int = AT_START
    worked: bool = False

    def before(self, place: int) -> bool:
        """True if the agent had read the notes before the call at a place."""
        return self.place < place or (self.place == place == self.call)

    @property
    def pending(self) -> bool:
        """True if shown for a pending call."""
        return self.call == self.place != AT_START


class Played(Value):
    """A played session: calls, failures, and notes shown by each policy."""

    project: str
    calls: int
    failures: tuple[Failure, ...]
    recurrences: tuple[Recurrence, ...]
    shown: Mapping[str, tuple[Shown, ...]]


class Score(Value):
    """Score of a policy; scores add up over sessions and projects."""

    sessions: int = 0
    calls: int = 0
    recurrences: int = 0
    covered: int = 0
    wrong: int = 0  # recurrences of calls that were wrong in themselves
    wrong_covered: int = 0
    mended: int = 0  # recurrences of which an earlier session shows what works
    mended_covered: int = 0
    lost: int = 0  # calls
    lost_covered: int = 0
    heard: int = 0  # recurrences whose failure a hook is told of
    repaired: int = 0
    items: int = 0
    useful: int = 0
    tokens: int = 0
    idle: int = 0  # sessions without a recurrence
    idle_tokens: int = 0
    false_fires: int = 0

    def __add__(self, other: Score) -> Score:
        return Score.of(
            {name: getattr(self, name) + getattr(other, name) for name in Score.__fields__}
        )

    @property
    def per(self) -> float | None:
        """Return the share of recurrences with the right note shown before."""
        return _share(self.covered, self.recurrences)

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the share."""
        return wilson(self.covered, self.recurrences, NINETY_FIVE)

    def figures(self) -> dict[str, float | None]:
        """Return every figure by name; None for a division by zero."""
        low, high = self.interval if self.recurrences else (None, None)
        return {
            "per": self.per,
            "per_low": low,
            "per_high": high,
            "per_called_wrongly": _share(self.wrong_covered, self.wrong),
            "per_with_fix": _share(self.mended_covered, self.mended),
            "per_by_cost": _share(self.lost_covered, self.lost),
            "repair_at_1": _share(self.repaired, self.heard),
            "precision": _share(self.useful, self.items),
            "tokens_per_session": _share(self.tokens, self.sessions),
            "tokens_per_idle_session": _share(self.idle_tokens, self.idle),
            "false_fires_per_100_calls": _share(100 * self.false_fires, self.calls),
        }


def score(played: Played, policy: str, rarity: Rarity) -> Score:
    """Score a policy in a session."""
    shown = played.shown.get(policy, ())
    lessons = [(each, forms_of(each)) for each in played.recurrences]
    tokens = sum(each.tokens for each in shown)
    total = Score(
        sessions=1,
        calls=played.calls,
        items=sum(len(each.items) for each in shown),
        useful=sum(_useful(each, played.failures, lessons, rarity) for each in shown),
        tokens=tokens,
        idle=int(not lessons),
        idle_tokens=0 if lessons else tokens,
        false_fires=sum(each.pending and each.worked for each in shown),
    )
    for recurrence, forms in lessons:
        total += _of_recurrence(recurrence, forms, shown, rarity)
    return total


def _of_recurrence(
    recurrence: Recurrence, forms: list[Form], shown: Sequence[Shown], rarity: Rarity
) -> Score:
    failure = recurrence.failure
    told = [each for each in shown if any(says(item, forms, rarity) for item in each.items)]
    covered = any(each.before(failure.place) for each in told)
    # what is said before a call reaches the agent together with what came of it
    repaired = any(each.call == failure.place for each in told)
    wrong, mended = failure.preventable, recurrence.mended
    return Score(
        recurrences=1,
        covered=int(covered),
        wrong=int(wrong),
        wrong_covered=int(wrong and covered),
        mended=int(mended),
        mended_covered=int(mended and covered),
        lost=failure.lost,
        lost_covered=failure.lost if covered else 0,
        heard=int(failure.heard),
        repaired=int(failure.heard and repaired),
    )


def _useful(
    shown: Shown,
    failures: Sequence[Failure],
    lessons: Sequence[tuple[Recurrence, list[Form]]],
    rarity: Rarity,
) -> int:
    """Count items about a call that failed then or later."""
    later = [each for each in failures if shown.before(each.place) or shown.call == each.place]
    taught = [
        forms
        for each, forms in lessons
        if shown.before(each.failure.place) or shown.call == each.failure.place
    ]
    return sum(
        any(says(item, forms, rarity) for forms in taught)
        or any(about(item, each, rarity) for each in later)
        for item in shown.items
    )


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None
