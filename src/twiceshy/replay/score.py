"""Score shown notes against failures; a note counts only for later calls.

Covered means shown in time, not prevented: a transcript cannot tell whether the agent would
have listened. Every figure is an upper bound. A note covers a failure if it states the lesson:
failed call, error, and fix.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.value import Value
from twiceshy.core.worth import NINETY_FIVE, wilson_bounds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from twiceshy.replay.failures import Failure, Recurrence
    from twiceshy.replay.words import WordRarity, Words

AT_START = -1
_MOST = 0.6
_HALF = 0.5
_NEARLY_ALL = 0.8
_VERBATIM = 0.9
_SOMETHING = 2.0  # what one rare word tells
_MUCH = 3.0


class ShownItem(Value):
    """Notes shown at a place of a session.

    ``call`` is the related call, if any: pending if equal to ``place``, finished otherwise.
    ``worked`` tells whether the call succeeded.
    """

    place: int
    items: tuple[Words, ...]
    tokens: int
    call: int = AT_START
    worked: bool = False

    def was_read_before(self, place: int) -> bool:
        """True if the agent had read the notes before the call at a place."""
        return self.place < place or (self.place == place == self.call)

    @property
    def is_before_call(self) -> bool:
        """True if shown for a pending call."""
        return self.call == self.place != AT_START


class PlayedSession(Value):
    """A played session: calls, failures, and notes shown by each policy."""

    project: str
    calls: int
    failures: tuple[Failure, ...]
    recurrences: tuple[Recurrence, ...]
    shown: Mapping[str, tuple[ShownItem, ...]]


class ReplayScore(Value):
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

    def __add__(self, other: ReplayScore) -> ReplayScore:
        return ReplayScore.of(
            {name: getattr(self, name) + getattr(other, name) for name in ReplayScore.__fields__}
        )

    @property
    def prevention_rate(self) -> float | None:
        """Return the share of recurrences with the right note shown before."""
        return _safe_share(self.covered, self.recurrences)

    @property
    def rate_interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the share."""
        return wilson_bounds(self.covered, self.recurrences, NINETY_FIVE)

    def to_figures(self) -> dict[str, float | None]:
        """Return every figure by name; None for a division by zero."""
        low, high = self.rate_interval if self.recurrences else (None, None)
        return {
            "per": self.prevention_rate,
            "per_low": low,
            "per_high": high,
            "per_called_wrongly": _safe_share(self.wrong_covered, self.wrong),
            "per_with_fix": _safe_share(self.mended_covered, self.mended),
            "per_by_cost": _safe_share(self.lost_covered, self.lost),
            "repair_at_1": _safe_share(self.repaired, self.heard),
            "precision": _safe_share(self.useful, self.items),
            "tokens_per_session": _safe_share(self.tokens, self.sessions),
            "tokens_per_idle_session": _safe_share(self.idle_tokens, self.idle),
            "false_fires_per_100_calls": _safe_share(100 * self.false_fires, self.calls),
        }


def score_session(played: PlayedSession, policy: str, rarity: WordRarity) -> ReplayScore:
    """Score a policy in a session."""
    shown = played.shown.get(policy, ())
    lessons = [(each, build_forms(each)) for each in played.recurrences]
    tokens = sum(each.tokens for each in shown)
    total = ReplayScore(
        sessions=1,
        calls=played.calls,
        items=sum(len(each.items) for each in shown),
        useful=sum(_count_useful(each, played.failures, lessons, rarity) for each in shown),
        tokens=tokens,
        idle=int(not lessons),
        idle_tokens=0 if lessons else tokens,
        false_fires=sum(each.is_before_call and each.worked for each in shown),
    )
    for recurrence, forms in lessons:
        total += _score_recurrence(recurrence, forms, shown, rarity)
    return total


def _score_recurrence(
    recurrence: Recurrence, forms: list[LessonForm], shown: Sequence[ShownItem], rarity: WordRarity
) -> ReplayScore:
    failure = recurrence.failure
    told = [
        each for each in shown if any(states_lesson(item, forms, rarity) for item in each.items)
    ]
    covered = any(each.was_read_before(failure.place) for each in told)
    # what is said before a call reaches the agent together with what came of it
    repaired = any(each.call == failure.place for each in told)
    wrong, mended = failure.is_preventable, recurrence.has_known_fix
    return ReplayScore(
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


def _count_useful(
    shown: ShownItem,
    failures: Sequence[Failure],
    lessons: Sequence[tuple[Recurrence, list[LessonForm]]],
    rarity: WordRarity,
) -> int:
    """Count items about a call that failed then or later."""
    later = [
        each for each in failures if shown.was_read_before(each.place) or shown.call == each.place
    ]
    taught = [
        forms
        for each, forms in lessons
        if shown.was_read_before(each.failure.place) or shown.call == each.failure.place
    ]
    return sum(
        any(states_lesson(item, forms, rarity) for forms in taught)
        or any(concerns_failure(item, each, rarity) for each in later)
        for item in shown.items
    )


class LessonForm(Value):
    """An earlier case of a mistake: words of the wrong call, of the right call, and of both."""

    wrong: Words
    right: Words
    around: Words
    fixed: Words
    errors: tuple[Words, ...]


def build_forms(recurrence: Recurrence) -> list[LessonForm]:
    """Return the lesson of each earlier case, seen from the recurring call."""
    return [_build_form(old, recurrence.failure) for old in recurrence.earlier]


def states_lesson(item: Words, forms: list[LessonForm], rarity: WordRarity) -> bool:
    """True if an item states a fix, or the failure and its error."""
    return any(
        _states_fix(item, form, rarity) or _states_failure(item, form, rarity) for form in forms
    )


def concerns_failure(item: Words, failure: Failure, rarity: WordRarity) -> bool:
    """True if an item concerns a failed call, even without its exact lesson."""
    told = rarity.covered_share(item, failure.error)
    return (
        told >= _HALF
        and rarity.weigh_words(item & failure.error) >= _SOMETHING
        and rarity.weigh_words(item & failure.wrong) >= _SOMETHING / 2
    )


def _build_form(old: Failure, new: Failure) -> LessonForm:
    both = old.wrong & new.wrong
    gone = old.wrong - old.right if old.right else both
    return LessonForm(
        wrong=(gone & new.wrong) or gone or both or old.wrong,
        right=old.right - old.wrong,
        around=both | (old.wrong & old.right),
        fixed=old.right,
        errors=tuple(error for error in (old.error, new.error) if error),
    )


def _states_fix(item: Words, form: LessonForm, rarity: WordRarity) -> bool:
    if not form.fixed:
        return False
    named = rarity.covered_share(item, form.wrong)
    if not form.right:  # the right call only leaves something out, so both must be shown
        return named >= _MOST and rarity.covered_share(item, form.fixed) >= _NEARLY_ALL
    if rarity.covered_share(item, form.right) < _MOST:
        return False
    near = (
        named >= _HALF
        or _told_words(item, form, rarity) >= _HALF
        or rarity.weigh_words(item & form.around) >= _SOMETHING
    )
    return near and rarity.weigh_words(item & (form.right | form.wrong)) >= _SOMETHING


def _states_failure(item: Words, form: LessonForm, rarity: WordRarity) -> bool:
    named, told = rarity.covered_share(item, form.wrong), _told_words(item, form, rarity)
    if min(named, told) >= _VERBATIM:  # common words prove nothing, unless they are all there
        return True
    if named < _MOST or told < _HALF:
        return False
    everything = form.wrong.union(*form.errors)
    return rarity.weigh_words(item & everything) >= _MUCH


def _told_words(item: Words, form: LessonForm, rarity: WordRarity) -> float:
    return max((rarity.covered_share(item, error) for error in form.errors), default=0.0)


def _safe_share(part: float, whole: float) -> float | None:
    return part / whole if whole else None
