"""A user-named Markdown folder: list files become notes, session files sessions, others pages."""

import os
from collections.abc import Iterator
from itertools import islice

from twiceshy.core.errors import UnsafeNameError
from twiceshy.interop.formats.listing import front_matter_end, split_list
from twiceshy.interop.formats.registry import guess_formats
from twiceshy.interop.imports import ImportContext, ImportPlace, OfferedItem
from twiceshy.interop.imports.files import MOST_FILES, read_text_file, walk_files
from twiceshy.interop.imports.read_format import build_file_context, parse_items
from twiceshy.notes.pages import is_hub, page_name

NAME = "markdown"
TITLE = "a folder of Markdown"
_SUFFIX = ".md"
_SESSION = "keeper_session"  # a session that memory-keeper wrote is no page


def find_places(around: ImportContext) -> list[ImportPlace]:
    """Return files below a folder named by the user, or the file; never by itself."""
    if os.path.isfile(around.given):
        return [_build_place(*os.path.split(around.given), around)]
    folder = around.given
    names = list(islice(walk_files(folder, _SUFFIX), MOST_FILES + 1)) if folder else []
    found = [_build_place(folder, name, around) for name in names[:MOST_FILES]]
    if len(names) > MOST_FILES:
        problem = f"more than {MOST_FILES:,} files; the rest stays out"
        found.append(ImportPlace(folder, problem=problem))
    return found


def read_place(place: ImportPlace, around: ImportContext) -> Iterator[OfferedItem]:
    """Yield the page or the notes of a file."""
    folder = place.path.removesuffix(place.what).rstrip(os.sep) or os.sep
    text = read_text_file(place.path, within=folder)
    form = "markdown_list" if _has_only_lists(text) else "markdown"
    form = _SESSION if guess_formats(place.path, text)[0] == _SESSION else form
    for piece in parse_items(text, form, build_file_context(place, root=folder), around):
        yield _name_by_path(piece, place)


def _name_by_path(piece: OfferedItem, place: ImportPlace) -> OfferedItem:
    """Name a page after its path, so that equal file names differ."""
    if not piece.draft or piece.draft.kind != "page":
        return piece
    name = _page_name(place.what) or piece.draft.tag
    return piece.but(draft=piece.draft.but(tag=name), alias=place.what)


def _build_place(folder: str, name: str, around: ImportContext) -> ImportPlace:
    return ImportPlace(os.path.join(folder, name), name.replace("/", os.sep), around.here)


def _has_only_lists(text: str) -> bool:
    """True if a file has only headings and lists, and at least one item."""
    found = list(split_list(text[front_matter_end(text) :].removeprefix("\ufeff")))
    prose = [line for line in found if isinstance(line, str) and line.strip()]
    return len(prose) < len(found) and all(line.lstrip().startswith("#") for line in prose)


def _page_name(path: str) -> str:
    """Return a page name from a path; empty if unfit."""
    try:
        name = page_name(path.removesuffix(_SUFFIX).replace(os.sep, "-"))
    except UnsafeNameError:
        return ""
    return "" if is_hub(name) else name
