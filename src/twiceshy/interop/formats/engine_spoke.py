"""memory-engine's memory/*.md: a page with front matter, as in Claude Code's memory folder.

Front matter is prose, the body is the page. Surrounding blanks, files and concepts are not
held.
"""

from __future__ import annotations

from twiceshy.core import jsontext
from twiceshy.interop.formats.whole import page_for, page_pieces
from twiceshy.project.pages.hub import first_sentence

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.interop.formats import About, Piece

NAME = "engine_spoke"
_MARKS = frozenset(":#\"'[]{}&*!|>%@`,?\\")


def read(text: str, about: About) -> tuple[Piece, ...]:
    """Parse the page named by the file."""
    return page_pieces(text, about)


def items(notes: Sequence[Note], about: About) -> tuple[Piece, ...]:
    """Render the page named by the file."""
    page = page_for(about, notes)
    if page is None:
        return ()
    about_it = first_sentence(page.text) or page.tag
    front = (
        f"---\nname: {_scalar(page.tag)}\ndescription: {_scalar(about_it)}\ntype: project\n---\n\n"
    )
    return read(f"{front}{page.text}\n", about.but(name=page.tag))


def _scalar(text: str) -> str:
    """Render a YAML scalar, quoted where needed."""
    return text if _MARKS.isdisjoint(text) else jsontext.write(text)
