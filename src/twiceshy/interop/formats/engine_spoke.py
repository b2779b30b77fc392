"""memory-engine's memory/*.md: a page with front matter, as in Claude Code's memory folder.

Front matter is prose, the body is the page. Surrounding blanks, files and concepts are not
held.
"""

from __future__ import annotations

from twiceshy.core import jsontext
from twiceshy.interop.formats.page_file import find_page_for_file, parse_page
from twiceshy.project.pages.hub import first_sentence

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.interop.formats import FileContext, Piece

NAME = "engine_spoke"
_MARKS = frozenset(":#\"'[]{}&*!|>%@`,?\\")


def parse_text(text: str, about: FileContext) -> tuple[Piece, ...]:
    """Parse the page named by the file."""
    return parse_page(text, about)


def render_items(notes: Sequence[Note], about: FileContext) -> tuple[Piece, ...]:
    """Render the page named by the file."""
    page = find_page_for_file(about, notes)
    if page is None:
        return ()
    about_it = first_sentence(page.text) or page.tag
    front = f"---\nname: {_yaml_scalar(page.tag)}\ndescription: {_yaml_scalar(about_it)}\ntype: project\n---\n\n"
    return parse_text(f"{front}{page.text}\n", about.but(name=page.tag))


def _yaml_scalar(text: str) -> str:
    """Render a YAML scalar, quoted where needed."""
    return text if _MARKS.isdisjoint(text) else jsontext.write_json(text)
