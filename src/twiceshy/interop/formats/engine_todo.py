"""memory-engine's todo-status.md: a task per checkbox item, tagged by its heading.

The file holds text, state, reason and heading. Files, concepts, trailing blanks, line breaks
in a reason, and a last line like a reason are not held.
"""

from __future__ import annotations

from twiceshy.interop.formats.listing import blocks, noted, sections
from twiceshy.interop.formats.pieces import cut

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.interop.formats import About, Piece
    from twiceshy.interop.formats.listing import Block

NAME = "engine_todo"


def read(text: str, about: About) -> tuple[Piece, ...]:
    """Parse tasks; items without a box are prose."""
    return cut(text, lambda rest: (_piece(one, about) for one in blocks(rest)))


def items(notes: Sequence[Note], about: About) -> tuple[Piece, ...]:
    """Render given tasks below their headings."""
    return read(sections((note for note in notes if note.kind == "task"), "Todo Status"), about)


def _piece(block: str | Block, about: About) -> Piece:
    if isinstance(block, str) or block.state:
        return noted(block, about, kind="task", subtype="")
    return block.raw
