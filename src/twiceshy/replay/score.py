"""Score shown notes against failures, as the model reads them.

A text at a pending call reaches the model together with the result of that call. So a note
prevents a failure only if the model had read the note before the call: at the start, with a
prompt, or with the result of an earlier call. A note that stops the call spares all calls but
one, and so does a note beside the failure. A transcript cannot tell whether the agent would have
listened: every figure is an upper bound. A note counts for a failure if it states the lesson:
failed call, error, and fix.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.value import Value
from twiceshy.core.worth import NINETY_FIVE, wilson_bounds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Literal

    from twiceshy.core.prices import Prices
    from twiceshy.replay.failures import Failure, Recurrence
    from twiceshy.replay.words import WordRarity, Words

    Fate = Literal["prevented", "stopped", "repaired", "missed"]

AT_START = -1
STOPS = frozenset(("ask", "deny"))
REWRITE = "rewrite"
_MOST = 0.6
_HALF = 0.5
_NEARLY_ALL = 0.8
_VERBATIM = 0.9
_SOMETHING = 2.0  # what one rare word tells
_MUCH = 3.0


class ShownItem(Value):
    """Notes shown in a session, and the place from which on the model has read them.

    ``call`` is the related call, if any; ``pending`` if the call had not run yet. ``ruling`` tells
    what the hook ruled about a pending call, ``worked`` whether the call succeeded.
    """

    read_at: int
    items: tuple[Words, ...]
    tokens: int
    call: int = AT_START
    pending: bool = False
    ruling: str = ""
    worked: bool = False

    def was_read_before(self, place: int) -> bool:
        """True if the model had read the notes before it made the call at a place."""
        return self.read_at < place or (self.call == place and self.ruling == REWRITE)

    def stops_call(self, place: int) -> bool:
        """True if the notes kept the call at a place from running."""
        return self.pending and self.call == place and self.ruling in STOPS

    def stands_beside(self, place: int) -> bool:
        """True if the model reads the notes together with the failure of the call at a place."""
        return self.call == place != AT_START


class PlayedSession(Value):
    """A played session: calls, failures, and notes shown by each policy."""

    project: str
    calls: int
    failures: tuple[Failure, ...]
    recurrences: tuple[Recurrence, ...]
    shown: Mapping[str, tuple[ShownItem, ...]]


class ReplayScore(Value):
    """Score of a policy; scores add up over sessions and projects.

    Of the mistakes that came back and that a note can prevent, each is ``prevented``, ``stopped``,
    ``repaired`` or nothing of it.
    """

    sessions: int = 0
    calls: int = 0
    recurrences: int = 0
    mistakes: int = 0  # recurrences of calls that were wrong in themselves
    prevented: int = 0
    stopped: int = 0
    repaired: int = 0
    lost: int = 0  # turns that these mistakes took
    saved: int = 0  # turns
    heard: int = 0  # mistakes whose failure a hook is told of
    told_beside: int = 0  # of these, with the right note beside the failure
    items: int = 0
    useful: int = 0
    tokens: int = 0
    idle: int = 0  # sessions without a recurrence
    idle_tokens: int = 0
    false_fires: int = 0
    false_stops: int = 0

    def __add__(self, other: ReplayScore) -> ReplayScore:
        return ReplayScore.of(
            {name: getattr(self, name) + getattr(other, name) for name in ReplayScore.__fields__}
        )

    @property
    def rate_interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the share of mistakes prevented or stopped."""
        return wilson_bounds(self.prevented + self.stopped, self.mistakes, NINETY_FIVE)

    def net_tokens(self, prices: Prices) -> float | None:
        """Return net tokens a session: turns saved, less what was told, at these prices."""
        return _safe_share(prices.net_tokens(self.saved, self.tokens), self.sessions)

    def to_figures(self, prices: Prices) -> dict[str, float | None]:
        """Return every figure by name; None for a division by zero."""
        low, high = self.rate_interval if self.mistakes else (None, None)
        return {
            "net_tokens": self.net_tokens(prices),
            "saved_share": _safe_share(self.saved, self.lost),
            "per": _safe_share(self.prevented + self.stopped, self.mistakes),
            "per_low": low,
            "per_high": high,
            "repair_at_1": _safe_share(self.told_beside, self.heard),
            "precision": _safe_share(self.useful, self.items),
            "tokens_per_session": _safe_share(self.tokens, self.sessions),
            "tokens_per_idle_session": _safe_share(self.idle_tokens, self.idle),
            "false_fires_per_100_calls": _safe_share(100 * self.false_fires, self.calls),
            "false_stops_per_1000_calls": _safe_share(1_000 * self.false_stops, self.calls),
        }


def score_session(played: PlayedSession, policy: str, rarity: WordRarity) -> ReplayScore:
    """Score a policy in a session."""
    shown = played.shown.get(policy, ())
    lessons = [(each, build_forms(each)) for each in played.recurrences]
    tokens = sum(each.tokens for each in shown)
    in_vain = [each for each in shown if each.pending and each.worked]
    total = ReplayScore(
        sessions=1,
        calls=played.calls,
        recurrences=len(lessons),
        items=sum(len(each.items) for each in shown),
        useful=sum(_count_useful(each, played.failures, lessons, rarity) for each in shown),
        tokens=tokens,
        idle=int(not lessons),
        idle_tokens=0 if lessons else tokens,
        false_fires=len(in_vain),
        false_stops=sum(each.ruling in STOPS for each in in_vain),
    )
    for recurrence, forms in lessons:
        if recurrence.failure.is_preventable:
            total += _score_mistake(recurrence.failure, forms, shown, rarity)
    return total


def judge_recurrence(
    recurrence: Recurrence, shown: Sequence[ShownItem], rarity: WordRarity
) -> Fate:
    """Judge what would have become of a recurrence, with these notes shown."""
    told = _list_tellings(build_forms(recurrence), shown, rarity)
    return _judge_fate(recurrence.failure, told)


def count_saved_turns(failure: Failure, fate: Fate) -> int:
    """Return the turns saved: all of a prevented failure, all but one of a stop or repair."""
    return {"prevented": failure.lost, "missed": 0}.get(fate, failure.lost - 1)


def _score_mistake(
    failure: Failure, forms: list[LessonForm], shown: Sequence[ShownItem], rarity: WordRarity
) -> ReplayScore:
    told = _list_tellings(forms, shown, rarity)
    fate = _judge_fate(failure, told)
    beside = any(each.stands_beside(failure.place) for each in told)
    return ReplayScore(
        mistakes=1,
        prevented=int(fate == "prevented"),
        stopped=int(fate == "stopped"),
        repaired=int(fate == "repaired"),
        lost=failure.lost,
        saved=count_saved_turns(failure, fate),
        heard=int(failure.heard),
        told_beside=int(failure.heard and beside),
    )


def _list_tellings(
    forms: list[LessonForm], shown: Sequence[ShownItem], rarity: WordRarity
) -> list[ShownItem]:
    return [
        each for each in shown if any(states_lesson(item, forms, rarity) for item in each.items)
    ]


def _judge_fate(failure: Failure, told: Sequence[ShownItem]) -> Fate:
    if any(each.was_read_before(failure.place) for each in told):
        return "prevented"
    if any(each.stops_call(failure.place) for each in told):
        return "stopped"
    if any(each.stands_beside(failure.place) for each in told):
        return "repaired"
    return "missed"


def _count_useful(
    shown: ShownItem,
    failures: Sequence[Failure],
    lessons: Sequence[tuple[Recurrence, list[LessonForm]]],
    rarity: WordRarity,
) -> int:
    """Count items about a call that failed then or later."""

    def concerns(failure: Failure) -> bool:
        return shown.was_read_before(failure.place) or shown.stands_beside(failure.place)

    later = [each for each in failures if concerns(each)]
    taught = [forms for each, forms in lessons if concerns(each.failure)]
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
