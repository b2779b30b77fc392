"""Report the size and condition of pages in the language of the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.cli.output import print_message
from twiceshy.notes.pages import LARGEST, STALE, TOO_LARGE, WARN, count_lines
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.core.note import Note
    from twiceshy.project.pages.hub import HubPage


def translate_conditions(conditions: Iterable[str]) -> list[str]:
    """Return the translated words for the problems of a page."""
    words = {STALE: worded("stale"), TOO_LARGE: worded("too large")}
    return [words[one] for one in conditions]


def warn_page_size(page: Note) -> None:
    """Warn about a page close to or above the size limit."""
    lines = count_lines(page.text)
    if lines > WARN:
        print_message(
            worded(
                "page {name} has {lines} lines, and beyond {most} it is too large; split it: "
                "twiceshy memory-set TOPIC",
                name=page.tag,
                lines=lines,
                most=LARGEST,
            )
        )


def warn_hub_size(made: HubPage) -> None:
    """Warn about a hub that is nearly full or omits topics."""
    if made.folded:
        print_message(
            worded(
                "MEMORY.md is full: {count} topics have no line of their own", count=made.folded
            )
        )
    elif made.is_crowded:
        print_message(
            worded("MEMORY.md has {lines} lines; merge or retire topics", lines=len(made.lines))
        )
