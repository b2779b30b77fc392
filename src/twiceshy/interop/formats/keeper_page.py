"""memory-keeper's project.md, architecture.md and conventions.md: one page per file.

The text is held; surrounding blanks and notes beside the text are not.
"""

from __future__ import annotations

from twiceshy.interop.formats.page_file import find_page_for_file, parse_page

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.interop.formats import FileContext, Piece

NAME = "keeper_page"


def parse_text(text: str, about: FileContext) -> tuple[Piece, ...]:
    """Parse the page named by the file."""
    return parse_page(text, about, front=False)


def render_items(notes: Sequence[Note], about: FileContext) -> tuple[Piece, ...]:
    """Render the page named by the file."""
    page = find_page_for_file(about, notes)
    return parse_text(f"{page.text}\n", about.but(name=page.tag)) if page else ()
