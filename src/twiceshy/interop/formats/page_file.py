"""Single-page files: the body is the item; front matter and blanks are prose."""

from __future__ import annotations

from twiceshy.core.draft import Draft
from twiceshy.core.errors import UnsafeNameError
from twiceshy.core.scope import Scope
from twiceshy.interop.formats import ParsedItem
from twiceshy.interop.formats.listing import front_matter_end
from twiceshy.interop.formats.pieces import split_bom, stable_name
from twiceshy.notes.pages import STABLE, is_hub, page_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.note import Note
    from twiceshy.interop.formats import FileContext, Piece

_SHORT = 12


def parse_page(text: str, about: FileContext, *, front: bool = True) -> tuple[Piece, ...]:
    """Parse a file as the page of its name; a blank file is prose."""
    return split_bom(
        text, lambda rest: _build_pieces(rest, about, front_matter_end(rest) if front else 0)
    )


def find_page_for_file(about: FileContext, notes: Sequence[Note]) -> Note | None:
    """Return the page of a file name; for an unnamed file the first page."""
    name = _page_name_of_file(about, "") if about.name else ""
    pages = (note for note in notes if note.kind == "page")
    return next((page for page in pages if not name or page.tag == name), None)


def _build_pieces(text: str, about: FileContext, head: int) -> Iterator[Piece]:
    body = text[head:].strip()
    if not body:
        yield text
        return
    start = text.index(body, head)
    name = _page_name_of_file(about, text)
    yield text[:start]
    yield ParsedItem(raw=body, key=name, draft=_build_draft(body, name, about))
    yield text[start + len(body) :]


def _page_name_of_file(about: FileContext, text: str) -> str:
    """Return the page name of a file, or a generated name."""
    stem = about.name.replace("\\", "/").rpartition("/")[2]
    try:
        name = page_name(stem)
    except UnsafeNameError:
        return f"page-{stable_name(about.name, '' if about.name else text)[:_SHORT]}"
    return f"{name}-page" if is_hub(name) else name  # the hub is made of the others


def _build_draft(body: str, name: str, about: FileContext) -> Draft:
    return Draft(
        kind="page",
        text=body.replace("\r\n", "\n"),
        scope=Scope(about.project, about.skill),
        source="import",
        subtype=name if name in STABLE else "topic",
        tag=name,
        state="current",
    )
