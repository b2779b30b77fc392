"""Judge two texts of which one exchanges two things of the other one.

"Encrypt first, then compress" takes the place of "Compress first, then encrypt": there is one order. "Shop
calls billing" and "Billing calls shop" may both hold. So may both orders, if each is said of another place.
"""

from __future__ import annotations

from twiceshy.language.denial import has_more, list_things
from twiceshy.language.word_order import list_units

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    Verdict = Literal["replaces", "maybe", ""]

# What stands on either side of one of these has an order in time.
_ORDERING = frozenset(
    """then before after instead rather dann danach vor bevor puis avant après luego después antes poi dopo
    prima depois 再""".split()
)
_PREFERRING = frozenset({"prefer", "win"})  # "prefer tabs over spaces"
_NAMELESS = frozenset("first then next 先 再 后 然".split())


def judge_exchange(newer: str, older: str, *, is_apart: bool) -> Verdict:
    """Judge two texts that exchange two things; ``is_apart``: they are about different ones."""
    new, old = _list_exchanged(newer, older), _list_exchanged(older, newer)
    adds, leaves = has_more(new, old), has_more(old, new)
    if adds and leaves and (is_apart or have_other_headings(newer, older)):
        return ""
    return "maybe" if adds or leaves or not _orders_anew(newer, older) else "replaces"


def have_other_headings(newer: str, older: str) -> bool:
    """True if each text says first what it is about, and the other one does not name that: "Shop: …"."""
    (head, found, _), (other, known, _) = newer.partition(": "), older.partition(": ")
    if not (found and known):
        return False
    return has_more(list_things(head, older), list_things(older, newer)) and has_more(
        list_things(other, newer), list_things(newer, older)
    )


def _list_exchanged(text: str, other: str) -> list[str]:
    return [thing for thing in list_things(text, other) if thing not in _NAMELESS]


def _orders_anew(newer: str, older: str) -> bool:
    """True if things are on the other side of a word that says what comes first or is preferred."""
    new, old = list_units(newer), list_units(older)
    signs = _ORDERING if _PREFERRING.isdisjoint(new) else _ORDERING | {"over"}
    if "先" in new and "先" in old:
        signs |= {"后"}
    pairs = [(new, old), *zip(_split_clauses(new), _split_clauses(old), strict=False)]
    return any(
        _crosses(mine, yours, sign)
        for mine, yours in pairs
        for sign in signs.intersection(mine, yours)
    )


def _split_clauses(units: Sequence[str]) -> list[list[str]]:
    clauses: list[list[str]] = [[]]
    for unit in units:
        if unit == ",":
            clauses.append([])
        else:
            clauses[-1].append(unit)
    return clauses


def _crosses(new: Sequence[str], old: Sequence[str], sign: str) -> bool:
    ahead, behind = _split_at(new, sign)
    was_ahead, was_behind = _split_at(old, sign)
    return not ahead.isdisjoint(was_behind) and not behind.isdisjoint(was_ahead)


def _split_at(units: Sequence[str], sign: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return what is only ahead of a word, and what is only behind it."""
    at = units.index(sign)
    ahead, behind = frozenset(units[:at]), frozenset(units[at + 1 :])
    return ahead - behind - {","}, behind - ahead - {","}
