"""The size and condition of pages, in the language that people read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.cli.output import say
from twiceshy.notes.pages.condition import LARGEST, STALE, TOO_LARGE, WARN, line_count
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.core.note import Note
    from twiceshy.project.pages.hub import Hub


def condition_words(conditions: Iterable[str]) -> list[str]:
    """Say what is wrong with a page."""
    words = {STALE: worded("stale"), TOO_LARGE: worded("too large")}
    return [words[one] for one in conditions]


def say_page_size(page: Note) -> None:
    """Say that a page should be split, before it is too large."""
    lines = line_count(page.text)
    if lines > WARN:
        say(
            worded(
                "page {name} has {lines} lines, and beyond {most} it is too large; split it: "
                "twiceshy memory-set TOPIC",
                name=page.tag,
                lines=lines,
                most=LARGEST,
            )
        )


def say_hub_size(made: Hub) -> None:
    """Say that a hub is nearly full, or that it could not name every topic."""
    if made.folded:
        say(
            worded(
                "MEMORY.md is full: {count} topics have no line of their own", count=made.folded
            )
        )
    elif made.crowded:
        say(worded("MEMORY.md has {lines} lines; merge or retire topics", lines=len(made.lines)))
