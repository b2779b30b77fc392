"""A user-named Markdown folder: list files become notes, other files become pages."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING

from twiceshy.core.errors import UnsafeNameError
from twiceshy.interop.formats.listing import blocks, front_matter
from twiceshy.interop.imports import Place
from twiceshy.interop.imports.files import MOST_FILES, below, is_file, text_of
from twiceshy.interop.imports.reading import about_file, read_text
from twiceshy.notes.pages import is_hub, page_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.interop.imports import Around, Offered

NAME = "markdown"
TITLE = "a folder of Markdown"
_SUFFIX = ".md"


def places(around: Around) -> list[Place]:
    """Return files below a folder named by the user, or the file; never by itself."""
    if is_file(around.given):
        return [_place(os.path.dirname(around.given), os.path.basename(around.given), around)]
    folder = around.given
    names = list(islice(below(folder, _SUFFIX), MOST_FILES + 1)) if folder else []
    found = [_place(folder, name, around) for name in names[:MOST_FILES]]
    if len(names) > MOST_FILES:
        found.append(Place(folder, problem=f"more than {MOST_FILES:,} files; the rest stays out"))
    return found


def read(place: Place, around: Around) -> Iterator[Offered]:
    """Yield the page or the notes of a file."""
    folder = place.path.removesuffix(place.what).rstrip(os.sep) or os.sep
    text = text_of(place.path, within=folder)
    form = "markdown_list" if _lists_only(text) else "markdown"
    for piece in read_text(text, form, about_file(place, root=folder), around):
        yield _by_its_place(piece, place)


def _by_its_place(piece: Offered, place: Place) -> Offered:
    """Name a page after its path, so that equal file names differ."""
    if not piece.draft or piece.draft.kind != "page":
        return piece
    name = _name(place.what) or piece.draft.tag
    return piece.but(draft=piece.draft.but(tag=name), alias=place.what)


def _place(folder: str, name: str, around: Around) -> Place:
    return Place(os.path.join(folder, name), name.replace("/", os.sep), around.here)


def _lists_only(text: str) -> bool:
    """True if a file has only headings and lists, and at least one item."""
    found = list(blocks(text[front_matter(text) :].removeprefix("\ufeff")))
    prose = [line for line in found if isinstance(line, str) and line.strip()]
    return len(prose) < len(found) and all(line.lstrip().startswith("#") for line in prose)


def _name(path: str) -> str:
    """Return a page name from a path; empty if unfit."""
    try:
        name = page_name(path.removesuffix(_SUFFIX).replace(os.sep, "-"))
    except UnsafeNameError:
        return ""
    return "" if is_hub(name) else name
