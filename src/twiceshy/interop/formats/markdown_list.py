"""Notes in Markdown lists: a lesson or task per item, tagged by its heading.

Text, tag, reason and task state are held. Type, files, concepts, trailing blanks, line
breaks in a reason, and a last line like a reason are not.
"""

from __future__ import annotations

from twiceshy.interop.formats.listing import blocks, noted, sections
from twiceshy.interop.formats.pieces import cut

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.interop.formats import About, Piece

NAME = "markdown_list"
_KINDS = ("lesson", "task")


def read(text: str, about: About) -> tuple[Piece, ...]:
    """Parse list items."""
    return cut(
        text,
        lambda rest: (
            noted(one, about, kind="lesson", subtype="discovery") for one in blocks(rest)
        ),
    )


def items(notes: Sequence[Note], about: About) -> tuple[Piece, ...]:
    """Render given lessons and tasks as lists below their tags."""
    return read(sections((note for note in notes if note.kind in _KINDS), "Notes"), about)
