"""Worth of a note by its outcomes: posteriors rank, Wilson bounds decide, unused sessions fade.

A note that harmed once must help twice to recover; an ignored note loses little, because the
agent may be at fault.
"""

from __future__ import annotations

from bisect import bisect_right
from math import sqrt

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Literal

    from twiceshy.core.outcome import Outcome

    Verdict = Literal["promote", "retire", "keep"]

NINETY, NINETY_FIVE = 1.6449, 1.9600
_PROVEN, _ENOUGH_PROOF = 0.6, 5
_USELESS, _ENOUGH_DOUBT = 0.25, 4

# Strength is counted in sessions of a note's scope: a skill that rests for a season loses nothing.
_FIRST_STRENGTH = 5.0
_POWER = 0.5
_PACE = 0.9 ** (-1 / _POWER) - 1  # so that after as many sessions as its strength 9 of 10 is left
FAINT, FADED = 0.35, 0.15
_ENOUGH_USES = 100  # of sessions that came out alike; more of them change nothing


class OutcomeCounts(Value):
    """Number of sessions by outcome of a shown note."""

    opportunity: int = 0
    followed: int = 0
    violated: int = 0
    helped: int = 0
    harmed: int = 0
    false_alarm: int = 0

    @property
    def hits(self) -> float:
        """Return the weight of evidence for the note."""
        return self.helped + 0.5 * self.followed

    @property
    def misses(self) -> float:
        """Return the weight of evidence against the note."""
        return 2 * self.harmed + 0.25 * self.violated + 0.5 * self.false_alarm

    @property
    def use_probability(self) -> float:
        """Return the probability of use at the next showing; one half without evidence."""
        return (1 + self.hits) / (2 + self.hits + self.misses)


class SessionStreak(Value):
    """Run of sessions without the failure, and its probability by chance."""

    sessions: int
    chance: float


def count_outcomes(outcomes: Iterable[Outcome]) -> OutcomeCounts:
    """Count the sessions of a note by outcome, each session once."""
    shown = [outcome for outcome in outcomes if not outcome.withheld]
    return OutcomeCounts.of(
        {
            name: _count_sessions(each for each in shown if getattr(each, name))
            for name in OutcomeCounts.__fields__
        }
    )


def _count_sessions(outcomes: Iterable[Outcome]) -> int:
    return sum({each.session: each.sessions for each in outcomes}.values())


def wilson_bounds(hits: float, trials: float, z: float = NINETY) -> tuple[float, float]:
    """Return the Wilson bounds of a share after a number of trials."""
    if trials <= 0:
        return 0.0, 1.0
    share, square = hits / trials, z * z
    centre = share + square / (2 * trials)
    spread = z * sqrt(share * (1 - share) / trials + square / (4 * trials * trials))
    norm = 1 + square / trials
    # rounding must not exclude what was seen without exception
    low = (centre - spread) / norm if hits > 0 else 0.0
    high = (centre + spread) / norm if hits < trials else 1.0
    return low, high


def judge_worth(counts: OutcomeCounts) -> Verdict:
    """Judge a note by Wilson bounds: proven, useless, or undecided."""
    decided = counts.helped + counts.harmed + counts.violated + counts.false_alarm
    low, high = wilson_bounds(counts.helped, counts.helped + counts.misses)
    if low > _PROVEN and decided >= _ENOUGH_PROOF:
        return "promote"
    return "retire" if high < _USELESS and decided >= _ENOUGH_DOUBT else "keep"


def find_streak(
    outcomes: Iterable[Outcome], *, learned_at: int = 0, sightings: int = 1
) -> SessionStreak:
    """Return the run of successes since the last failure or sighting."""
    failed: dict[str, int] = {}
    worked: dict[str, int] = {}
    run: dict[str, int] = {}
    for each in sorted(outcomes, key=lambda each: (each.at, each.key)):
        if each.worked_anyway:
            (run if each.at > learned_at else worked)[each.session] = each.sessions
        elif each.still_fails:
            failed[each.session] = each.sessions
            worked |= run
            run.clear()
    before, length = sum(worked.values()), sum(run.values())
    chance, known = 1.0, max(sightings, sum(failed.values())) + before
    for at in range(length):  # each time it works makes the next time likelier
        chance *= (1 + before + at) / (2 + known + at)
    return SessionStreak(length, chance)


def retrievability(idle: float, strength: float) -> float:
    """Return the remaining strength of a note after a number of sessions without use."""
    return float((1 + _PACE * idle / strength) ** -_POWER)


def remaining_strength(
    outcomes: Iterable[Outcome], sessions: Sequence[int], *, learned_at: int
) -> float:
    """Return the remaining strength now; ``sessions`` are start times of sessions in scope."""
    strength, last = _FIRST_STRENGTH, learned_at
    for each in sorted(outcomes, key=lambda each: (each.at, each.key)):
        if each.withheld or not each.opportunity:
            continue
        idle = bisect_right(sessions, each.at) - bisect_right(sessions, min(last, each.at))
        for _ in range(min(each.sessions, _ENOUGH_USES)):
            strength = max(1.0, strength * _strength_gain(each, retrievability(idle, strength)))
            idle = 0
        if not each.harmed:
            last = each.last_at
    idle = len(sessions) - bisect_right(sessions, max(last, learned_at))
    return retrievability(idle, strength)


def fading_strength(sessions: Sequence[int], *, since: int, times: int = 1) -> float:
    """Return the remaining strength of a note that was seen some times and not needed since."""
    idle = len(sessions) - bisect_right(sessions, since)
    return retrievability(idle, _FIRST_STRENGTH * max(1, times))


def _strength_gain(outcome: Outcome, left: float) -> float:
    """Return the gain in strength by an outcome, largest for a nearly forgotten note."""
    if outcome.harmed:
        return 0.4
    if outcome.helped:
        return 1 + 1.5 * (1 - left) + 0.5
    return 1.0 if outcome.failed else 1.1
