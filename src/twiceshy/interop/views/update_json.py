"""Add new entries to a JSON file; foreign keys stay."""

from __future__ import annotations

from twiceshy.files.json_edit import append_items, parse_document, set_member
from twiceshy.interop.formats import ParsedItem, join_pieces
from twiceshy.interop.views.threeway import items_by_key
from twiceshy.interop.views.update_text import ViewUpdate, text_without_new

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twiceshy.interop.formats import Piece


def update_json(file: Sequence[Piece], loom: ViewUpdate, mended: Callable[[str], str]) -> str:
    """Return the text to write; ``mended`` mends commas after changes."""
    text = join_pieces(file)
    if not text.strip():
        return join_pieces(loom.fresh)
    there = {loom.name(item) for item in file if isinstance(item, ParsedItem)}
    new = [item for item in items_by_key(loom.fresh).values() if loom.name(item) not in there]
    kept = text_without_new(file, loom)
    if kept != text:
        kept = mended(kept)
    return mended(_add_entries(kept, new, join_pieces(loom.fresh))) if new else kept


def _add_entries(text: str, new: Sequence[ParsedItem], fresh: str) -> str:
    """Return a file with more entries, each in its list of a fresh file."""
    told, wanted = parse_document(text), parse_document(fresh)
    taken = {str(one.get("id")) for one in _list_entries(told)}
    added: dict[str, list[object]] = {}
    for item in new:
        entry = parse_document(item.raw)
        section = next(name for name, held in wanted.items() if entry in _list_part(held))
        own = _unused_id(str(entry.get("id", "")), taken)
        taken.add(own)
        added.setdefault(section, []).append({**entry, "id": own})
    for section, entries in added.items():
        listed = isinstance(told.get(section), list)
        text = (append_items if listed else set_member)(text, (section,), entries)
    return text


def _list_entries(told: dict[str, object]) -> list[dict[str, object]]:
    return [one for held in told.values() for one in _list_part(held) if isinstance(one, dict)]


def _list_part(held: object) -> list[object]:
    return held if isinstance(held, list) else []


def _unused_id(wanted: str, taken: set[str]) -> str:
    """Return an unused id of the same form."""
    letter, number = wanted[:1], int(wanted[1:]) if wanted[1:].isdecimal() else 1
    while f"{letter}{number:03}" in taken:
        number += 1
    return f"{letter}{number:03}"
