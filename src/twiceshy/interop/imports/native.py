"""Claude Code's own memory folder: MEMORY.md, and a page per topic."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from twiceshy.interop.imports.claude_folders import is_engines, memory_folders, page_places
from twiceshy.interop.imports.reading import read_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.interop.imports import Around, Offered, Place

NAME = "claude-code"
TITLE = "Claude Code's memory folder"


def places(around: Around) -> list[Place]:
    """Return the pages of projects not kept by memory-engine."""
    return [
        place
        for folder, identity in memory_folders(around)
        if around.given or not is_engines(folder, around)
        for place in page_places(folder, identity)
    ]


def read(place: Place, around: Around) -> Iterator[Offered]:
    """Yield the pages."""
    return read_file(place, around, root=os.path.dirname(place.path))
