"""memory-engine's MEMORY.md: pointers as prose, and handwritten items as notes.

The hub is generated from pages and counts, so our own lines are not read back. A list item
that is no pointer and stands in no section of ours is a note; Claude Code's native memory
begins as such lists.
"""

from __future__ import annotations

from twiceshy.interop.formats.listing import build_item, split_list
from twiceshy.interop.formats.pieces import split_bom
from twiceshy.project.pages.hub import HubCounts, build_hub

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.evidence import Episode
    from twiceshy.core.note import Note
    from twiceshy.interop.formats import FileContext, Piece
    from twiceshy.interop.formats.listing import ListItem

NAME = "engine_hub"
_OURS = "Made by twiceshy"
_SECTIONS = ("Pages", "Topics", "Tasks", "Notebook", "Sessions")
_FACTS = ("decision", "pattern", "issue")


def parse_text(text: str, about: FileContext) -> tuple[Piece, ...]:
    """Parse the handwritten items of a hub."""
    ours = _OURS in text
    return split_bom(
        text, lambda rest: (_build_piece(one, about, ours=ours) for one in split_list(rest))
    )


def render_items(
    notes: Sequence[Note], about: FileContext, episodes: Sequence[Episode] = ()
) -> tuple[Piece, ...]:
    """Render the hub of given pages, and count other notes."""
    tasks = [note for note in notes if note.kind == "task"]
    around = HubCounts(
        open_tasks=sum(note.state == "open" for note in tasks),
        tasks=len(tasks),
        rules=sum(note.kind == "rule" and note.state == "current" for note in notes),
        facts=sum(note.kind in _FACTS for note in notes),
        episodes=episodes,
    )
    return parse_text(
        build_hub([note for note in notes if note.kind == "page"], around).text, about
    )


def _build_piece(block: str | ListItem, about: FileContext, *, ours: bool) -> Piece:
    if isinstance(block, str):
        return block
    if (ours and block.heading in _SECTIONS) or _is_pointer(block.text):
        return block.raw
    return build_item(block, about, kind="lesson", subtype="discovery")


def _is_pointer(text: str) -> bool:
    """True if an item begins with a link to a memory file."""
    label, bracket, rest = text.lstrip("*_").partition("](")
    target = rest.partition(")")[0]
    return label.startswith("[") and bool(bracket) and target.endswith(".md")
