"""Value of telling a lesson: what it is expected to save, against what its words cost.

The chance that a mistake comes back in a session is fitted (``bench.chance``) on recorded
sessions of several projects: often and lately, with a known fix, and rarely done right. A turn
saved and a token told have prices, which are settings.
"""

from __future__ import annotations

from math import exp, log

from twiceshy.core.evidence import RECENT_SESSIONS
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import estimate_tokens
from twiceshy.core.trigger import failing_share, may_still_fail
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from twiceshy.core.prices import Prices
    from twiceshy.core.trigger import TriggerMatch

_LINE_TOKENS = 6  # the handle and what stands around it
_FRAME_TOKENS = 9  # what stands around a line of its own, beyond these
_MOST_LOST = 4.0  # calls; a mistake that cost more once did so by other things
_MOST_LIKELY = 0.9
_NAMED = 0.5  # assumed: every second session whose prompt names a call makes the call
_WRONG_CALLS = ("usage", "missing")
_CAUSELESS = 0.5  # what failed for reasons of its own is not prevented by every word about it


class ChanceWeights(Value):
    """Weights of the logarithm of the odds that a mistake comes back in a session.

    ``features`` are for a constant, log sessions with it, log sessions since, share of sessions,
    more than one session, log of the share of such calls that fail, and a known fix.
    """

    features: tuple[float, ...]
    categories: Mapping[str, float]


SHIPPED = ChanceWeights(
    (-3.68, 0.89, -0.65, 0.71, 0.90, 0.08, 0.21),
    {"usage": 0.21, "missing": -0.64, "folder": -0.39, "outcome": -0.51, "rejected": -0.49},
)


class LessonValue(Value):
    """Expected worth of telling a lesson in a session.

    ``chance`` is the probability that the mistake comes back in a session that was not told,
    ``failing`` the share of matching calls that fail, ``lost_calls`` the calls until the fix.
    """

    chance: float
    failing: float
    lost_calls: float
    tokens: int

    def saving(self, prices: Prices) -> float:
        """Return the tokens that telling is expected to save."""
        return self.chance * self.lost_calls * prices.turn

    def cost(self, prices: Prices) -> float:
        """Return the tokens that telling costs."""
        return self.tokens * prices.told

    def pays(self, prices: Prices) -> bool:
        """True if telling saves several times what it costs."""
        return self.saving(prices) >= prices.margin * self.cost(prices)


def value_lesson(match: TriggerMatch, weights: ChanceWeights | None = None) -> LessonValue:
    """Return the value of telling a note at a session start."""
    known, failing = weights or SHIPPED, failing_share(match)
    features = list_features(match, failing)
    odds = sum([weight * one for weight, one in zip(known.features, features, strict=True)])
    odds += known.categories.get(match.trigger.category, 0.0)
    chance = 1 / (1 + exp(-odds))
    if match.trigger.category in ("outcome", "transient") and not match.has_remedy:
        chance *= _CAUSELESS
    seen = max(1, match.note.sightings)
    lost = min(_MOST_LOST, max(1.0, (match.lost_calls + 1) / (seen + 1)))
    tokens = estimate_tokens(match.note.text) + _LINE_TOKENS
    return LessonValue(chance, failing, lost, tokens)


def value_at_use(match: TriggerMatch, weights: ChanceWeights | None = None) -> LessonValue:
    """Return the value of telling a note in a session that uses its program.

    The chance is that of any session, divided by the share of sessions with the program.
    """
    return value_with_program(match, value_lesson(match, weights))


def value_with_program(match: TriggerMatch, value: LessonValue) -> LessonValue:
    """Return the value of telling a note in a session that uses its program, from that in any session."""
    sessions, used = min(match.age, RECENT_SESSIONS), match.uses.bit_count()
    likelier = (sessions + 1) / (min(used, sessions) + 1) if match.program else 1.0
    chance = min(_MOST_LIKELY, value.chance * likelier)
    return LessonValue(chance, value.failing, value.lost_calls, value.tokens + _FRAME_TOKENS)


def value_at_prompt(match: TriggerMatch, weights: ChanceWeights | None = None) -> LessonValue:
    """Return the value of telling a note when a prompt names its call.

    A call that is wrong in itself fails as often as before, if it is made; whether work succeeds,
    or a folder is read as a file, a prompt says no more than the use of a program does.
    """
    value = value_at_use(match, weights)
    if match.trigger.category not in _WRONG_CALLS:
        return value
    return value.but(chance=max(value.chance, min(_MOST_LIKELY, _NAMED * value.failing)))


def list_features(match: TriggerMatch, failing: float) -> tuple[float, ...]:
    """Return what the chance of a mistake depends on, in the order of the weights.

    ``failing`` is the share of matching calls that fail.
    """
    seen = max(1, match.note.sightings)
    since = (match.recent & -match.recent).bit_length() - 1 if match.recent else match.age
    return (
        1.0,
        log(seen),
        log(1 + max(0, since)),
        seen / max(1, match.age, seen),
        float(seen > 1),
        log(min(1.0, failing)),
        float(match.has_remedy),
    )


def choose_lessons(
    matches: Iterable[TriggerMatch],
    prices: Prices,
    weights: ChanceWeights | None = None,
    *,
    value: Callable[[TriggerMatch, ChanceWeights | None], LessonValue] = value_lesson,
) -> list[tuple[TriggerMatch, LessonValue]]:
    """Return the lessons that pay for themselves, the best per token first, within the budget."""
    # a project's own note of a mistake says more than the global one
    own: dict[str, TriggerMatch] = {}
    for each in sorted(matches, key=lambda match: match.note.scope.project == EVERYWHERE):
        own.setdefault(each.note.tag or each.note.id, each)
    valued = [(each, value(each, weights)) for each in own.values() if may_still_fail(each)]
    paying = [(match, worth) for match, worth in valued if worth.pays(prices)]
    paying.sort(key=lambda pair: (-pair[1].saving(prices) / pair[1].tokens, pair[0].note.id))
    chosen, left = [], prices.most_tokens
    for match, worth in paying:
        if worth.tokens <= left:
            chosen.append((match, worth))
            left -= worth.tokens
    return chosen
