"""Claude Code's own memory folder: MEMORY.md, and a page per topic."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from twiceshy.interop.imports.claude_folders import (
    is_kept_by_engine,
    list_memory_folders,
    list_page_places,
)
from twiceshy.interop.imports.read_format import read_file_items

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.interop.imports import ImportContext, ImportPlace, OfferedItem

NAME = "claude-code"
TITLE = "Claude Code's memory folder"


def find_places(around: ImportContext) -> list[ImportPlace]:
    """Return the pages of projects not kept by memory-engine."""
    return [
        place
        for folder, identity in list_memory_folders(around)
        if around.given or not is_kept_by_engine(folder, around)
        for place in list_page_places(folder, identity)
    ]


def read_place(place: ImportPlace, around: ImportContext) -> Iterator[OfferedItem]:
    """Yield the pages."""
    return read_file_items(place, around, root=os.path.dirname(place.path))
