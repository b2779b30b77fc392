"""Required content of a lesson: failed call, error, and fix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.value import Value

if TYPE_CHECKING:
    from twiceshy.replay.failures import Failure, Recurrence
    from twiceshy.replay.words import Rarity, Words

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


def forms_of(recurrence: Recurrence) -> list[Form]:
    """Return the lesson of each earlier case, seen from the recurring call."""
    return [_form(old, recurrence.failure) for old in recurrence.earlier]


def says(item: Words, forms: list[Form], rarity: Rarity) -> bool:
    """True if an item states a fix, or the failure and its error."""
    return any(_mends(item, form, rarity) or _warns(item, form, rarity) for form in forms)


def about(item: Words, failure: Failure, rarity: Rarity) -> bool:
    """True if an item concerns a failed call, even without its exact lesson."""
    told = rarity.share(item, failure.error)
    return (
        told >= _HALF
        and rarity.weight(item & failure.error) >= _SOMETHING
        and rarity.weight(item & failure.wrong) >= _SOMETHING / 2
    )


def _form(old: Failure, new: Failure) -> Form:
    both = old.wrong & new.wrong
    gone = old.wrong - old.right if old.right else both
    return Form(
        wrong=(gone & new.wrong) or gone or both or old.wrong,
        right=old.right - old.wrong,
        around=both | (old.wrong & old.right),
        fixed=old.right,
        errors=tuple(error for error in (old.error, new.error) if error),
    )


def _mends(item: Words, form: Form, rarity: Rarity) -> bool:
    if not form.fixed:
        return False
    named = rarity.share(item, form.wrong)
    if not form.right:  # the right call only leaves something out, so both must be shown
        return named >= _MOST and rarity.share(item, form.fixed) >= _NEARLY_ALL
    if rarity.share(item, form.right) < _MOST:
        return False
    near = (
        named >= _HALF
        or _told(item, form, rarity) >= _HALF
        or rarity.weight(item & form.around) >= _SOMETHING
    )
    return near and rarity.weight(item & (form.right | form.wrong)) >= _SOMETHING


def _warns(item: Words, form: Form, rarity: Rarity) -> bool:
    named, told = rarity.share(item, form.wrong), _told(item, form, rarity)
    if min(named, told) >= _VERBATIM:  # common words prove nothing, unless they are all there
        return True
    if named < _MOST or told < _HALF:
        return False
    everything = form.wrong.union(*form.errors)
    return rarity.weight(item & everything) >= _MUCH


def _told(item: Words, form: Form, rarity: Rarity) -> float:
    return max((rarity.share(item, error) for error in form.errors), default=0.0)
