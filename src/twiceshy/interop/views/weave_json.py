"""Add new entries to a JSON file; foreign keys stay."""

from __future__ import annotations

from twiceshy.files.json_edit import document, with_items, with_member
from twiceshy.interop.formats import Item, joined
from twiceshy.interop.views.threeway import keyed
from twiceshy.interop.views.weave import Loom, kept_text

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twiceshy.interop.formats import Piece


def woven_json(file: Sequence[Piece], loom: Loom, mended: Callable[[str], str]) -> str:
    """Return the text to write; ``mended`` mends commas after changes."""
    text = joined(file)
    if not text.strip():
        return joined(loom.fresh)
    there = {loom.name(item) for item in file if isinstance(item, Item)}
    new = [item for item in keyed(loom.fresh).values() if loom.name(item) not in there]
    kept = kept_text(file, loom)
    if kept != text:
        kept = mended(kept)
    return mended(_with(kept, new, joined(loom.fresh))) if new else kept


def _with(text: str, new: Sequence[Item], fresh: str) -> str:
    """Return a file with more entries, each in its list of a fresh file."""
    told, wanted = document(text), document(fresh)
    taken = {str(one.get("id")) for one in _entries(told)}
    added: dict[str, list[object]] = {}
    for item in new:
        entry = document(item.raw)
        section = next(name for name, held in wanted.items() if entry in _listed(held))
        own = _own_id(str(entry.get("id", "")), taken)
        taken.add(own)
        added.setdefault(section, []).append({**entry, "id": own})
    for section, entries in added.items():
        listed = isinstance(told.get(section), list)
        text = (with_items if listed else with_member)(text, (section,), entries)
    return text


def _entries(told: dict[str, object]) -> list[dict[str, object]]:
    return [one for held in told.values() for one in _listed(held) if isinstance(one, dict)]


def _listed(held: object) -> list[object]:
    return held if isinstance(held, list) else []


def _own_id(wanted: str, taken: set[str]) -> str:
    """Return an unused id of the same form."""
    letter, number = wanted[:1], int(wanted[1:]) if wanted[1:].isdecimal() else 1
    while f"{letter}{number:03}" in taken:
        number += 1
    return f"{letter}{number:03}"
