"""A plain note in Markdown: the file is one page, called as the file; front matter is prose.

The file holds the text; it does not hold blanks around it, files and concepts, or a text that begins
like front matter.
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
    """Read the page that a file is."""
    return page_pieces(text, about)


def items(notes: Sequence[Note], about: About) -> tuple[Piece, ...]:
    """Write the page that the name of the file says, of those among some notes."""
    page = page_for(about, notes)
    return read(f"{page.text}\n", about.but(name=page.tag)) if page else ()
