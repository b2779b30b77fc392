"""memory-keeper's project.md, architecture.md and conventions.md: one page per file.

The text is held; surrounding blanks and notes beside the text are not.
"""

from __future__ import annotations

from twiceshy.interop.formats.whole import page_for, page_pieces

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.interop.formats import About, Piece

NAME = "keeper_page"


def read(text: str, about: About) -> tuple[Piece, ...]:
    """Parse the page named by the file."""
    return page_pieces(text, about, front=False)


def items(notes: Sequence[Note], about: About) -> tuple[Piece, ...]:
    """Render the page named by the file."""
    page = page_for(about, notes)
    return read(f"{page.text}\n", about.but(name=page.tag)) if page else ()
