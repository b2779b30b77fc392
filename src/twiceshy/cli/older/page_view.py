"""Report the size and condition of pages in the language of the user."""

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
    """Return the translated words for the problems of a page."""
    words = {STALE: worded("stale"), TOO_LARGE: worded("too large")}
    return [words[one] for one in conditions]


def say_page_size(page: Note) -> None:
    """Warn about a page close to or above the size limit."""
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
    """Warn about a hub that is nearly full or omits topics."""
    if made.folded:
        say(
            worded(
                "MEMORY.md is full: {count} topics have no line of their own", count=made.folded
            )
        )
    elif made.crowded:
        say(worded("MEMORY.md has {lines} lines; merge or retire topics", lines=len(made.lines)))
