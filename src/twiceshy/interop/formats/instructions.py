"""CLAUDE.md, AGENTS.md and similar: a convention per list item, tagged by its heading.

Paragraphs, tables and code are prose. Nothing here becomes a rule. Held and not held as in
``markdown_list``.
"""

from __future__ import annotations

from twiceshy.interop.formats.listing import build_item, render_sections, split_list
from twiceshy.interop.formats.pieces import split_bom

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.interop.formats import FileContext, Piece

NAME = "instructions"


def parse_text(text: str, about: FileContext) -> tuple[Piece, ...]:
    """Parse listed items; items with a box are tasks."""
    return split_bom(
        text,
        lambda rest: (
            build_item(one, about, kind="pattern", subtype="convention")
            for one in split_list(rest)
        ),
    )


def render_items(notes: Sequence[Note], about: FileContext) -> tuple[Piece, ...]:
    """Render given patterns as sections."""
    return parse_text(
        render_sections((note for note in notes if note.kind == "pattern"), "Conventions"), about
    )
