"""memory-engine's MEMORY.md: pointers, which are prose, and what people or agents wrote there all the same.

The hub is made of the pages and counts, so nothing of ours is read back from it. An item of a list that
is no pointer and stands in no section of ours is a note of its own; the native memory of Claude Code
begins as such lists.
"""

from __future__ import annotations

from twiceshy.interop.formats.listing import blocks, noted
from twiceshy.interop.formats.pieces import cut
from twiceshy.project.pages.hub import Around, hub

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.evidence import Episode
    from twiceshy.core.note import Note
    from twiceshy.interop.formats import About, Piece
    from twiceshy.interop.formats.listing import Block

NAME = "engine_hub"
_OURS = "Made by twiceshy"
_SECTIONS = ("Pages", "Topics", "Tasks", "Notebook", "Sessions")
_FACTS = ("decision", "pattern", "issue")


def read(text: str, about: About) -> tuple[Piece, ...]:
    """Read what a hub says itself."""
    ours = _OURS in text
    return cut(text, lambda rest: (_piece(one, about, ours=ours) for one in blocks(rest)))


def items(
    notes: Sequence[Note], about: About, episodes: Sequence[Episode] = ()
) -> tuple[Piece, ...]:
    """Write the hub of the pages among some notes, and count the others."""
    tasks = [note for note in notes if note.kind == "task"]
    around = Around(
        open_tasks=sum(note.state == "open" for note in tasks),
        tasks=len(tasks),
        rules=sum(note.kind == "rule" and note.state == "current" for note in notes),
        facts=sum(note.kind in _FACTS for note in notes),
        episodes=episodes,
    )
    return read(hub([note for note in notes if note.kind == "page"], around).text, about)


def _piece(block: str | Block, about: About, *, ours: bool) -> Piece:
    if isinstance(block, str):
        return block
    if (ours and block.heading in _SECTIONS) or _is_pointer(block.text):
        return block.raw
    return noted(block, about, kind="lesson", subtype="discovery")


def _is_pointer(text: str) -> bool:
    """Tell whether an item begins with a link to a file of the memory."""
    label, bracket, rest = text.lstrip("*_").partition("](")
    target = rest.partition(")")[0]
    return label.startswith("[") and bool(bracket) and target.endswith(".md")
