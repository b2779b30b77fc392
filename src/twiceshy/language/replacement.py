"""Judge whether a text replaces an older note: it does, it may, or it does not.

A fitted table of trees (``replacement_trees``) weighs what two texts have in common, what differs, and
the words of change. Fixed rules come first: a note that names another place, or the next thing of a row,
replaces nothing, and a text about another subject or a long one retires nothing. Where the wording leaves
a doubt, a person decides.
"""

from __future__ import annotations

from twiceshy.language.alignment import align_texts
from twiceshy.language.alternatives import are_alternatives
from twiceshy.language.comparison import compare_statements
from twiceshy.language.numbering import numbers_things
from twiceshy.language.replacement_trees import CHINESE_LIMITS, LIMITS, SIGNS, START, TREES
from twiceshy.language.statement import is_chinese
from twiceshy.language.terms import index_terms
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

_ORDER = tuple("then first before after over instead rather 先 再 后".split())
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
_FEW = 2  # words
_CHINESE = "\u2e80"
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
    if not (signs.clauses and _is_statement(newer) and _is_statement(older)):
        return "", _NEVER
    if is_swapped(newer, older):
        return ("replaces" if _states_order(newer) and _states_order(older) else "maybe"), _SURE
    alignment = align_texts(newer, older)
    if signs.is_elsewhere or numbers_things(newer, older, anywhere=alignment.is_even):
        return "", _NEVER
    if not (alignment.lost or alignment.fresh):
        return ("maybe", _SURE) if signs.denies else ("", _NEVER)
    named = _name_signs(newer, older, signs, alignment, likeness)
    weight = weigh_signs(named)
    verdict = _judge_weight(weight, named, signs)
    if _gives_new_value(newer, older, alignment, signs) or _ends_whole(alignment, signs):
        verdict = "replaces"
    elif _has_one_other_word(alignment, signs) or (signs.denies and not alignment.lost):
        verdict = verdict or "maybe"
    doubtful = signs.is_mixed or signs.counts_subject
    return ("maybe" if verdict and doubtful else verdict), weight


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


def _gives_new_value(
    newer: str, older: str, alignment: Alignment, signs: ReplacementSigns
) -> bool:
    if _gives_other_value(alignment):
        return True
    limited = signs.is_apart or signs.is_excepted
    return not limited and _gives_other_value(align_texts(_cut_to_value(newer), older))


def _ends_whole(alignment: Alignment, signs: ReplacementSigns) -> bool:
    """True if a text repeats all that the older one says, and calls it gone."""
    limited = (signs.is_apart and not signs.moves) or signs.is_excepted or signs.is_long
    return signs.is_gone and not alignment.lost and not limited


def _cut_to_value(text: str) -> str:
    """Return the first clause of a text without the words for "now"; the others give reasons."""
    ends = (text.find(mark) for mark in _CLAUSE_ENDS)
    head = text[: min((end for end in ends if end > 0), default=None)]
    for word in _CHINESE_NOW:
        head = head.replace(word, "")
    return " ".join(word for word in head.split() if word.casefold() not in _NOW)


def _gives_other_value(alignment: Alignment) -> bool:
    """True if nothing differs but numbers, versions, and names that stand for one another."""
    return alignment.is_even and all(_are_values(old, new) for old, new in alignment.replaced)


def _has_one_other_word(alignment: Alignment, signs: ReplacementSigns) -> bool:
    """True if two sentences are equal but for one word."""
    if signs.is_apart or not alignment.is_even or len(alignment.replaced) != 1:
        return False
    most, least = (4, 4) if signs.is_chinese else (1, 3)  # characters of Chinese
    old, new = alignment.replaced[0]
    return max(len(old), len(new)) <= most and alignment.length - len(old) >= least


def _are_values(old: Words, new: Words) -> bool:
    if any(map(_is_number, old)) and any(map(_is_number, new)):
        return len(old) == len(new) == 1
    return _name_alternatives(old, new)


def _name_alternatives(old: Words, new: Words) -> bool:
    """True if short parts of two texts name things of which there is one at a time."""
    if are_alternatives("".join(old), "".join(new)):
        return True
    few = max(len(old), len(new)) <= _FEW
    return few and any(are_alternatives(one, other) for one in old for other in new)


def _is_number(word: str) -> bool:
    """True for a number, version or amount; "db1" and "db2" name two things."""
    return word.removeprefix("v")[:1].isdigit()


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


def _states_order(text: str) -> bool:
    """True if a text says what comes first or is preferred."""
    words = text.casefold().replace(",", " ").split()
    return any(sign in text if sign > _CHINESE else sign in words for sign in _ORDER)
