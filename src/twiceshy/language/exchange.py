"""Judge two texts of which one exchanges two things of the other one.

"Shop calls billing" and "Billing calls shop" may both hold. So may "Encrypt first, then compress" and the other
order, of which nobody says that it is over. So a person is asked, unless each is said of another place.
"""

from __future__ import annotations

from twiceshy.language.denial import has_more, list_things

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Literal

    Verdict = Literal["replaces", "maybe", ""]

_NAMELESS = frozenset("first then next 先 再 后 然".split())


def judge_exchange(newer: str, older: str, *, is_apart: bool) -> Verdict:
    """Judge two texts that exchange two things; ``is_apart``: they are about different ones."""
    new, old = _list_exchanged(newer, older), _list_exchanged(older, newer)
    adds, leaves = has_more(new, old), has_more(old, new)
    is_other = is_apart or have_other_headings(newer, older)
    return "" if adds and leaves and is_other else "maybe"


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
