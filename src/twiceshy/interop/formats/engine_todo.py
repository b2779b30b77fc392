"""memory-engine's todo-status.md: a task per checkbox item, tagged by its heading.

The file holds text, state, reason and heading. Files, concepts, trailing blanks, line breaks
in a reason, and a last line like a reason are not held.
"""

from __future__ import annotations

from twiceshy.interop.formats.listing import build_item, render_sections, split_list
from twiceshy.interop.formats.pieces import split_bom

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.interop.formats import FileContext, Piece
    from twiceshy.interop.formats.listing import ListItem

NAME = "engine_todo"


def parse_text(text: str, about: FileContext) -> tuple[Piece, ...]:
    """Parse tasks; items without a box are prose."""
    return split_bom(text, lambda rest: (_build_piece(one, about) for one in split_list(rest)))


def render_items(notes: Sequence[Note], about: FileContext) -> tuple[Piece, ...]:
    """Render given tasks below their headings."""
    return parse_text(
        render_sections((note for note in notes if note.kind == "task"), "Todo Status"), about
    )


def _build_piece(block: str | ListItem, about: FileContext) -> Piece:
    if isinstance(block, str) or block.state:
        return build_item(block, about, kind="task", subtype="")
    return block.raw
