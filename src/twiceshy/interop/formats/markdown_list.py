"""Notes in Markdown, one an item: a lesson, or a task if it has a box; its heading is its tag.

The file holds text, tag, reason and the state of a task. It does not hold type, files and concepts,
blanks at the end of lines, line breaks inside a reason, or a last line that begins like a reason.
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
    """Read what the lists of a file say."""
    return cut(
        text,
        lambda rest: (
            noted(one, about, kind="lesson", subtype="discovery") for one in blocks(rest)
        ),
    )


def items(notes: Sequence[Note], about: About) -> tuple[Piece, ...]:
    """Write the lessons and tasks among some notes as lists below their tags."""
    return read(sections((note for note in notes if note.kind in _KINDS), "Notes"), about)
