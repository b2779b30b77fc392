"""Notes in Markdown lists: a lesson or task per item, tagged by its heading.

Text, tag, reason and task state are held. Type, files, concepts, trailing blanks, line
breaks in a reason, and a last line like a reason are not.
"""

from __future__ import annotations

from twiceshy.interop.formats.listing import build_item, render_sections, split_list
from twiceshy.interop.formats.pieces import split_bom

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.interop.formats import FileContext, Piece

NAME = "markdown_list"
_KINDS = ("lesson", "task")


def parse_text(text: str, about: FileContext) -> tuple[Piece, ...]:
    """Parse list items."""
    return split_bom(
        text,
        lambda rest: (
            build_item(one, about, kind="lesson", subtype="discovery") for one in split_list(rest)
        ),
    )


def render_items(notes: Sequence[Note], about: FileContext) -> tuple[Piece, ...]:
    """Render given lessons and tasks as lists below their tags."""
    return parse_text(
        render_sections((note for note in notes if note.kind in _KINDS), "Notes"), about
    )
