"""Render the diary of a day in under 30 lines: done, learned, patterns, next time."""

from __future__ import annotations

from twiceshy.core.text import clean, one_line
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_ADDED = 5
# The head takes two lines and each section two more than what it lists: 26 in all.
_MOST = {"Did": 5, "Learned": 4, "Patterns": 2, "Notes for next time": MOST_ADDED}
_LONGEST = 120


class Diary(Value):
    """Content of a day's diary.

    ``later`` lists notes for next time: items added by the user, then items of the handoff.
    """

    day: str
    project: str
    did: tuple[str, ...] = ()
    learned: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    later: tuple[str, ...] = ()


def page(diary: Diary) -> str:
    """Render the diary page of a day; count the items that do not fit."""
    lines = [f"# Diary: {diary.day}", f"**Project:** {_line(diary.project)}"]
    items = (diary.did, diary.learned, diary.patterns, diary.later)
    for (heading, most), some in zip(_MOST.items(), items, strict=True):
        lines += ["", f"## {heading}", *_listed(some, most)]
    return "\n".join(lines) + "\n"


def _listed(items: Sequence[str], most: int) -> list[str]:
    told = [line for item in items if (line := _line(item))]
    if len(told) <= most:
        return [f"- {line}" for line in told]
    shown = told[: most - 1]
    return [*(f"- {line}" for line in shown), f"- and {len(told) - len(shown)} more"]


def _line(text: str) -> str:
    return one_line(clean(text), limit=_LONGEST)
