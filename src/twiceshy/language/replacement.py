"""Judge whether a text replaces an older note: it does, it may, or it does not.

A text replaces a note that is about the same thing in the same place, if it calls the thing gone,
says the opposite, or gives another value. Notes that merely differ both stay, and so does a note
about another place. Where the wording leaves a doubt, a person decides.
"""

from __future__ import annotations

from twiceshy.language.comparison import compare_statements
from twiceshy.language.statement import read_statement
from twiceshy.language.statement_words import CHINESE
from twiceshy.language.word_order import is_swapped

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    from twiceshy.core.note import Note
    from twiceshy.language.comparison import ReplacementSigns

    Verdict = Literal["replaces", "maybe", ""]

_ORDER = tuple("then first before after over instead rather 先 再 后".split())
# Shares of the older statement's words that a newer one must have; tuned on half of the pairs.
_LITTLE, _SOME, _HALF, _EVEN, _MOST, _NEARLY_ALL = 0.25, 0.3, 0.4, 0.5, 0.75, 0.9
_NAMED = {True: 0.1, False: 0.2}  # in Chinese or not; Chinese words are counted by character
_LEAST_SHARED = {True: 1.0, False: 1.5}  # in Chinese or not
_RANKS: dict[Verdict, int] = {"replaces": 2, "maybe": 1, "": 0}


def find_replaced(text: str, older: Iterable[Note]) -> tuple[Verdict, Note | None]:
    """Return the surest verdict about older notes with its note; of equals, the nearest."""
    judged = (
        (_RANKS[verdict], measure_shared(text, note.text), note.id, verdict, note)
        for note in older
        if (verdict := judge_replacement(text, note.text))
    )
    *_, verdict, note = max(judged, key=lambda one: one[:3], default=("", None))
    return verdict, note


def judge_replacement(newer: str, older: str) -> Verdict:
    """Judge by wording whether a newer text replaces an older one."""
    signs = compare_statements(newer, older)
    if not signs.shared:
        return ""
    if is_swapped(newer, older):
        return "replaces" if _states_order(newer) and _states_order(older) else "maybe"
    verdict = _judge_signs(signs, older)
    return "maybe" if verdict and _may_be_chance(signs) else verdict


def _may_be_chance(signs: ReplacementSigns) -> bool:
    """True if so few words are shared that two texts about different things may share them."""
    if signs.weight >= _LEAST_SHARED[signs.is_chinese] or signs.is_prescribed_gone:
        return False
    return not signs.has_same_purpose and signs.coverage < _MOST


def _judge_signs(signs: ReplacementSigns, older: str) -> Verdict:
    if signs.is_gone:
        known = len(signs.shared) >= _NAMED[signs.is_chinese] * len(read_statement(older).words)
        if known:
            return "maybe" if signs.is_excepted or signs.is_long else "replaces"
    return _judge_other_value(signs)


def _judge_other_value(signs: ReplacementSigns) -> Verdict:
    """Judge statements of which the newer does not call a thing of the older gone."""
    least = _SOME if signs.is_chinese else _HALF
    enough = signs.coverage >= least and signs.topic >= _HALF
    amends = signs.is_corrected or signs.is_changed
    other = signs.is_elsewhere or signs.is_about_other
    if other or (signs.is_excepted and not signs.is_corrected):
        return ""
    corrects_all = signs.is_corrected and signs.coverage >= _NEARLY_ALL
    if signs.is_apart and (signs.has_other_subject or not corrects_all):
        return "maybe" if amends and enough and not signs.modifiers else ""
    if signs.is_excepted or signs.is_long:
        return "maybe" if enough else ""
    if signs.heads and not amends:
        return ""
    if _is_amended(signs, enough=enough) or _has_other_value(signs):
        return "replaces"
    counts = signs.has_other_number and not signs.numbers_things
    tells = amends or counts or signs.is_opposed
    close = amends or signs.has_same_predicate or signs.coverage >= _MOST
    return "maybe" if enough and tells and close and signs.has_other_words else ""


def _is_amended(signs: ReplacementSigns, *, enough: bool) -> bool:
    """True if a newer statement about the same says that something changed, or the opposite."""
    if signs.is_corrected and signs.coverage >= _SOME:
        return True
    if signs.is_opposed and signs.coverage >= _MOST:
        return True
    least = _SOME if signs.is_chinese else _EVEN
    changes = (
        signs.is_changed
        and signs.has_same_predicate
        and signs.has_other_words
        and not signs.forbids_new
    )
    return changes and enough and signs.coverage >= least and not signs.lost_place


def _has_other_value(signs: ReplacementSigns) -> bool:
    """True if a newer statement about the same has another number, or another value."""
    equal = signs.coverage >= _NEARLY_ALL and signs.has_other_number and not signs.numbers_things
    if not (signs.has_same_predicate or equal):
        return False
    if signs.has_other_number and not (signs.lost_place or signs.is_opposed):
        same = (signs.coverage >= _EVEN and not signs.numbers_things) or signs.is_changed
        if same and not (signs.is_chinese and signs.names):
            return True
    if (
        signs.forbids_new
        or signs.forbids_both
        or signs.is_opposed
        or signs.strange
        or not signs.has_other_words
    ):
        return False
    # the subject of a Chinese sentence ends nowhere in particular
    loose = signs.is_chinese and signs.coverage >= _HALF and not signs.lost_place
    return signs.has_topic and signs.coverage >= _LITTLE and (loose or not signs.lost)


def _states_order(text: str) -> bool:
    """True if a text says what comes first or is preferred."""
    words = text.casefold().replace(",", " ").split()
    return any(sign in text if sign > CHINESE else sign in words for sign in _ORDER)


def measure_shared(newer: str, older: str) -> float:
    """Return the share of an older text's words that a newer text has."""
    return compare_statements(newer, older).coverage
