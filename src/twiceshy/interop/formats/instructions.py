"""CLAUDE.md, AGENTS.md and their like: an item of a list is a convention, and its heading its tag.

Paragraphs, tables and code are prose. Nothing read here is a rule: who may give rules is decided
elsewhere. What the file holds and does not hold is as in a list of notes (``markdown_list``).
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
    """Read what such a file lists; items with a box are tasks."""
    return cut(
        text,
        lambda rest: (
            noted(one, about, kind="pattern", subtype="convention") for one in blocks(rest)
        ),
    )


def items(notes: Sequence[Note], about: About) -> tuple[Piece, ...]:
    """Write the patterns among some notes as sections."""
    return read(sections((note for note in notes if note.kind == "pattern"), "Conventions"), about)
