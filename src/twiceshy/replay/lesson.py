"""Required content of a lesson: failed call, error, and fix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.value import Value

if TYPE_CHECKING:
    from twiceshy.replay.failures import Failure, Recurrence
    from twiceshy.replay.words import WordRarity, Words

_MOST = 0.6
_HALF = 0.5
_NEARLY_ALL = 0.8
_VERBATIM = 0.9
_SOMETHING = 2.0  # what one rare word tells
_MUCH = 3.0


class Form(Value):
    """An earlier case of a mistake: words of the wrong call, of the right call, and of both."""

    wrong: Words
    right: Words
    around: Words
    fixed: Words
    errors: tuple[Words, ...]


def build_forms(recurrence: Recurrence) -> list[Form]:
    """Return the lesson of each earlier case, seen from the recurring call."""
    return [_build_form(old, recurrence.failure) for old in recurrence.earlier]


def states_lesson(item: Words, forms: list[Form], rarity: WordRarity) -> bool:
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


def _build_form(old: Failure, new: Failure) -> Form:
    both = old.wrong & new.wrong
    gone = old.wrong - old.right if old.right else both
    return Form(
        wrong=(gone & new.wrong) or gone or both or old.wrong,
        right=old.right - old.wrong,
        around=both | (old.wrong & old.right),
        fixed=old.right,
        errors=tuple(error for error in (old.error, new.error) if error),
    )


def _states_fix(item: Words, form: Form, rarity: WordRarity) -> bool:
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


def _states_failure(item: Words, form: Form, rarity: WordRarity) -> bool:
    named, told = rarity.covered_share(item, form.wrong), _told_words(item, form, rarity)
    if min(named, told) >= _VERBATIM:  # common words prove nothing, unless they are all there
        return True
    if named < _MOST or told < _HALF:
        return False
    everything = form.wrong.union(*form.errors)
    return rarity.weigh_words(item & everything) >= _MUCH


def _told_words(item: Words, form: Form, rarity: WordRarity) -> float:
    return max((rarity.covered_share(item, error) for error in form.errors), default=0.0)
