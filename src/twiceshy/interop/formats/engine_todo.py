"""memory-engine's todo-status.md: an item with a box is a task, and its heading is what it is about.

The file holds text, state, reason and heading. It does not hold files and concepts, blanks at the end of
lines, line breaks inside a reason, or a last line that begins like a reason.
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
    """Read the tasks of a list; an item without a box is prose."""
    return cut(text, lambda rest: (_piece(one, about) for one in blocks(rest)))


def items(notes: Sequence[Note], about: About) -> tuple[Piece, ...]:
    """Write the tasks among some notes, below what they are about."""
    return read(sections((note for note in notes if note.kind == "task"), "Todo Status"), about)


def _piece(block: str | Block, about: About) -> Piece:
    if isinstance(block, str) or block.state:
        return noted(block, about, kind="task", subtype="")
    return block.raw
