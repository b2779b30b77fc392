"""A Markdown file as a page named after the file; front matter is prose.

The text is held; surrounding blanks, files, concepts, and a text like front matter are not.
"""

from __future__ import annotations

from twiceshy.interop.formats.whole import page_for, page_pieces

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.interop.formats import About, Piece

NAME = "markdown"


def read(text: str, about: About) -> tuple[Piece, ...]:
    """Parse the page."""
    return page_pieces(text, about)


def items(notes: Sequence[Note], about: About) -> tuple[Piece, ...]:
    """Render the page named by the file."""
    page = page_for(about, notes)
    return read(f"{page.text}\n", about.but(name=page.tag)) if page else ()
