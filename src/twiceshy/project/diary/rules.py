"""Render the diary of a day in under 30 lines: done, learned, patterns, next time."""

from __future__ import annotations

from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_ADDED = 5
# The head takes two lines and each section two more than what it lists: 26 in all.
_MAX_ITEMS = {"Did": 5, "Learned": 4, "Patterns": 2, "Notes for next time": MAX_ADDED}
_MAX_LENGTH = 120


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


def render_diary(diary: Diary) -> str:
    """Render the diary page of a day; count the items that do not fit."""
    lines = [f"# Diary: {diary.day}", f"**Project:** {_fold_line(diary.project)}"]
    items = (diary.did, diary.learned, diary.patterns, diary.later)
    for (heading, most), some in zip(_MAX_ITEMS.items(), items, strict=True):
        lines += ["", f"## {heading}", *_list_items(some, most)]
    return "\n".join(lines) + "\n"


def _list_items(items: Sequence[str], most: int) -> list[str]:
    told = [line for item in items if (line := _fold_line(item))]
    if len(told) <= most:
        return [f"- {line}" for line in told]
    shown = told[: most - 1]
    return [*(f"- {line}" for line in shown), f"- and {len(told) - len(shown)} more"]


def _fold_line(text: str) -> str:
    return fold_to_line(strip_unsafe(text), limit=_MAX_LENGTH)
