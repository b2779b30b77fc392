"""Judge whether a text replaces an older note: it does, it may, or it does not.

A fitted table of trees (``replacement_trees``) weighs what two texts have in common, what differs, and
the words of change. Fixed rules come first: a note that names another place, or the next thing of a row,
replaces nothing, and a text about another subject or a long one retires nothing. Where the wording leaves
a doubt, a person decides.
"""

from __future__ import annotations

from twiceshy.language.alignment import align_texts
from twiceshy.language.comparison import compare_statements
from twiceshy.language.denial import contradicts, denies_less, denies_whole, forbids_value
from twiceshy.language.exchange import have_other_headings, judge_exchange
from twiceshy.language.numbering import numbers_things
from twiceshy.language.replacement_trees import CHINESE_LIMITS, LIMITS, SIGNS, START, TREES
from twiceshy.language.restatement import (
    allows_again,
    gives_role_anew,
    hands_over,
    names_other_holder,
    renames,
    says_again,
    strip_change,
    tells_change,
)
from twiceshy.language.settings import begins_with_number, sets_value
from twiceshy.language.statement import has_digit, is_chinese
from twiceshy.language.terms import index_terms
from twiceshy.language.values import are_chinese_numbers, are_days, give_values, is_day, is_number
from twiceshy.language.word_order import is_swapped

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Literal

    from twiceshy.core.note import Note
    from twiceshy.language.alignment import Alignment
    from twiceshy.language.comparison import ReplacementSigns

    Words = tuple[str, ...]
    Verdict = Literal["replaces", "maybe", ""]
    Likeness = Callable[
        [Sequence[str], Sequence[str]], float
    ]  # of two lists of index terms, by meaning

# Words of change, by which less is needed to retire a note, unless one of the others limits them.
AMENDING = ("corrected", "changed", "gone")
LIMITING = ("apart", "excepted")
_NEVER, _SURE = -9.0, 9.0  # weights of what no trees weigh
_LEAST_AHEAD = 0.5  # weight of a note that is asked about, above that of the next likely one
_CLAUSE_ENDS = (", ", "; ", ". ", " (", " since ", "，", "；", "。", "（")
_NOW, _CHINESE_NOW = (
    ("now", "now.", "currently", "nowadays"),
    (
        *(
            "现在",
            "目前",
            "如今",
            "了",
            "提高到",
            "提升到",
            "降低到",
            "降到",
            "升到",
            "调到",
            "改到",
            "改为",
            "改成",
        ),
        *("缩短到", "延长到", "增加到", "减少到"),
    ),
)
_LONGEST = {True: 150, False: 400}  # characters of a statement in Chinese or not; above are pages


def find_replaced(
    text: str, older: Iterable[Note], likeness: Likeness
) -> tuple[Verdict, Note | None]:
    """Return the surest verdict about older notes with its note.

    Nothing is asked if another older note is about as likely to be the one that is replaced.
    """
    judged = [(*_judge(text, note.text, likeness), note) for note in older]
    ranked = sorted(
        judged, key=lambda one: (one[0] == "replaces", one[1], one[2].id), reverse=True
    )
    if not ranked or not ranked[0][0]:
        return "", None
    (verdict, weight, note), rest = ranked[0], ranked[1:]
    if verdict == "maybe" and rest and weight - rest[0][1] < _LEAST_AHEAD:
        return "", None
    return verdict, note


def judge_replacement(newer: str, older: str, likeness: Likeness) -> Verdict:
    """Judge by wording whether a newer text replaces an older one."""
    return _judge(newer, older, likeness)[0]


def list_signs(newer: str, older: str, likeness: Likeness) -> dict[str, float]:
    """Return what the trees weigh, by name; empty if a text has no telling word."""
    signs = compare_statements(newer, older)
    return (
        _name_signs(newer, older, signs, align_texts(newer, older), likeness)
        if signs.clauses
        else {}
    )


def weigh_signs(signs: Mapping[str, float]) -> float:
    """Return the logarithm of the odds that a newer text replaces an older one."""
    values = [signs[name] for name in SIGNS]
    total = START
    for root, edge, left, right in TREES:
        sign, limit, below, above = right if values[root] > edge else left
        total += above if values[sign] > limit else below
    return total


def _judge(newer: str, older: str, likeness: Likeness) -> tuple[Verdict, float]:
    signs = compare_statements(newer, older)
    if signs.is_elsewhere or not (signs.clauses and _is_statement(newer) and _is_statement(older)):
        return "", _NEVER
    if is_swapped(newer, older):
        return judge_exchange(newer, older, is_apart=signs.is_apart), _SURE
    alignment = align_texts(newer, older)
    if numbers_things(newer, older, anywhere=alignment.is_even):
        return "", _NEVER
    if not (alignment.lost or alignment.fresh):
        if denies_whole(newer, older):
            return "replaces", _SURE
        return ("maybe", _SURE) if signs.denies else ("", _NEVER)
    named = _name_signs(newer, older, signs, alignment, likeness)
    weight = weigh_signs(named)
    weighed = _judge_weight(weight, named, signs)
    return _judge_wording(newer, older, alignment, signs, weighed), weight


def _judge_wording(
    newer: str, older: str, alignment: Alignment, signs: ReplacementSigns, weighed: Verdict
) -> Verdict:
    """Return what plain rules say, else what the trees say: ``weighed``."""
    is_numbered = signs.counts_subject and any(map(has_digit, alignment.lost))
    doubtful = signs.is_mixed or is_numbered or have_other_headings(newer, older)
    doubtful = doubtful or _number_other_things(newer, older)
    if said := _find_new_value(newer, older, alignment, signs):
        doubtful = (
            doubtful or forbids_value(older) or not _may_retire_value(said, newer, older, signs)
        )
        return "maybe" if doubtful else "replaces"
    says_so = _says_so(newer, older, alignment, signs)
    verdict = "replaces" if says_so else weighed
    if not verdict and _may_be_other(newer, older, alignment, signs):
        verdict = "maybe"
    if _differ_in_values(alignment) and not _may_retire_value(newer, newer, older, signs):
        doubtful = True
    only_adds = not (says_so or alignment.lost)  # "use npm workspaces" goes on to use npm
    doubtful = doubtful or only_adds or denies_less(newer, older)
    return "maybe" if verdict and doubtful else verdict


def _says_so(newer: str, older: str, alignment: Alignment, signs: ReplacementSigns) -> bool:
    """True if a text says plainly that it takes the place of the older one."""
    if hands_over(newer, older) or gives_role_anew(newer, older):
        return True
    if signs.is_excepted or signs.is_long:
        return False
    is_apart = signs.is_apart and not signs.moves
    if signs.is_gone and not alignment.lost and not is_apart:
        return True
    if denies_whole(newer, older) or allows_again(newer, older) or renames(newer, older):
        return True
    return says_again(newer, older, is_apart=is_apart)


def _may_be_other(newer: str, older: str, alignment: Alignment, signs: ReplacementSigns) -> bool:
    """True if so little differs that a person has to say whether both hold."""
    if (signs.denies and not alignment.lost) or contradicts(strip_change(newer, older), older):
        return True
    if alignment.is_even and all(are_chinese_numbers(*part) for part in alignment.replaced):
        return True
    return _has_one_other_word(alignment, signs) or names_other_holder(newer, older)


def _judge_weight(weight: float, named: Mapping[str, float], signs: ReplacementSigns) -> Verdict:
    replaces, amends, maybe = CHINESE_LIMITS if signs.is_chinese else LIMITS
    if weight < maybe:
        return ""
    if (signs.is_apart and not signs.moves) or signs.is_long:
        return "maybe"
    limiting = () if signs.moves else LIMITING
    amended = any(named[name] for name in AMENDING) and not any(named[name] for name in limiting)
    return "replaces" if weight >= (amends if amended else replaces) else "maybe"


def _is_statement(text: str) -> bool:
    """True for a text of one paragraph; a page says many things, of which some may go on to hold."""
    text = text.strip()
    return "\n" not in text and len(text) <= _LONGEST[is_chinese(text)]


def _find_new_value(newer: str, older: str, alignment: Alignment, signs: ReplacementSigns) -> str:
    """Return the text, or its first clause, in which nothing but values differs; else nothing."""
    if _gives_other_value(alignment, newer, older):
        return newer
    limited, head = signs.is_apart or signs.is_excepted, _cut_to_value(newer)
    return (
        head if not limited and _gives_other_value(align_texts(head, older), head, older) else ""
    )


def _number_other_things(newer: str, older: str) -> bool:
    """True if each of two texts begins with a thing that has another number: "gate 4", "gate 5"."""
    return begins_with_number(newer, older) and begins_with_number(older, newer)


def _differ_in_values(alignment: Alignment) -> bool:
    """True if two texts have no other word that differs than numbers, days and months."""
    words = (*alignment.lost, *alignment.fresh)
    return bool(words) and all(is_number(word) or is_day(word) for word in words)


def _may_retire_value(said: str, newer: str, older: str, signs: ReplacementSigns) -> bool:
    """True if a setting has another value, or a text tells of a change."""
    if signs.is_changed or signs.is_corrected or signs.is_current or tells_change(newer, older):
        return True
    has_day = any(
        are_days(old, new, (older, said)) for old, new in align_texts(said, older).replaced
    )
    return not has_day and sets_value(said, older)


def _cut_to_value(text: str) -> str:
    """Return the first clause of a text without the words for "now"; the others give reasons."""
    ends = (text.find(mark) for mark in _CLAUSE_ENDS)
    head = text[: min((end for end in ends if end > 0), default=None)]
    for word in _CHINESE_NOW:
        head = head.replace(word, "")
    return " ".join(word for word in head.split() if word.casefold() not in _NOW)


def _gives_other_value(alignment: Alignment, newer: str, older: str) -> bool:
    """True if nothing differs but numbers, versions, days, and names that stand for one another."""
    return alignment.is_even and all(
        give_values(old, new) or are_days(old, new, (older, newer))
        for old, new in alignment.replaced
    )


def _has_one_other_word(alignment: Alignment, signs: ReplacementSigns) -> bool:
    """True if two sentences are equal but for one word."""
    if signs.is_apart or not alignment.is_even or len(alignment.replaced) != 1:
        return False
    most, least = (4, 4) if signs.is_chinese else (1, 3)  # characters of Chinese
    old, new = alignment.replaced[0]
    return max(len(old), len(new)) <= most and alignment.length - len(old) >= least


def _name_signs(
    newer: str, older: str, signs: ReplacementSigns, alignment: Alignment, likeness: Likeness
) -> dict[str, float]:
    lost, fresh = (index_terms(" ".join(words)) for words in (alignment.lost, alignment.fresh))
    return {
        "likeness": likeness(index_terms(newer), index_terms(older)),
        "likeness of the rest": likeness(fresh, lost),
        "sameness": alignment.sameness,
        "longest": alignment.longest,
        "first change": alignment.first_change,
        "fit": alignment.fit,
        "growth": alignment.growth,
        "length": alignment.length,
        "known": alignment.known,
        "first fresh": alignment.first_fresh,
        "topic": signs.topic,
        "known subject": signs.known_subject,
        "shared": len(signs.shared),
        "strange": len(signs.strange),
        "modifiers": len(signs.modifiers),
        "apart": signs.is_apart,
        "lost place": bool(signs.lost_place),
        "corrected": signs.is_corrected,
        "changed": signs.is_changed,
        "gone": signs.is_gone,
        "excepted": signs.is_excepted,
        "current": signs.is_current,
        "forbids": signs.forbids,
        "clauses": signs.clauses,
    }
