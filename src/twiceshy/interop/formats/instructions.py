"""CLAUDE.md, AGENTS.md and similar: a convention per list item, tagged by its heading.

Paragraphs, tables and code are prose. Nothing here becomes a rule. Held and not held as in
``markdown_list``.
"""

from __future__ import annotations

from twiceshy.interop.formats.listing import blocks, noted, sections
from twiceshy.interop.formats.pieces import cut

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.interop.formats import About, Piece

NAME = "instructions"


def read(text: str, about: About) -> tuple[Piece, ...]:
    """Parse listed items; items with a box are tasks."""
    return cut(
        text,
        lambda rest: (
            noted(one, about, kind="pattern", subtype="convention") for one in blocks(rest)
        ),
    )


def items(notes: Sequence[Note], about: About) -> tuple[Piece, ...]:
    """Render given patterns as sections."""
    return read(sections((note for note in notes if note.kind == "pattern"), "Conventions"), about)
