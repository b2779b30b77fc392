"""What a file says as the notes, episodes and signals that a store would keep of it."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tests.core.builders import NOW, a_note, an_id

from twiceshy.core.evidence import Episode, Signal
from twiceshy.core.note import Note
from twiceshy.interop.formats import ParsedItem

if TYPE_CHECKING:
    from twiceshy.interop.formats import Piece

HELD = ("kind", "subtype", "text", "why", "scope", "tag", "files", "concepts", "state")


def items_in(pieces: "Iterable[Piece]") -> list[ParsedItem]:
    """Return what is no prose."""
    return [piece for piece in pieces if isinstance(piece, ParsedItem)]


def noted(item: ParsedItem, number: int) -> Note | Episode | Signal:
    """Return what a store would keep of an item; one that we wrote is the note it was."""
    if item.draft is None:
        kept = item.episode or item.signal
        assert kept is not None
        return kept
    draft = item.draft
    fields = {name: getattr(draft, name) for name in HELD if getattr(draft, name)}
    more = {
        "id": item.key if len(item.key) == len(an_id()) else an_id(number + 1),
        "sightings": item.sightings or 1,
        "missed": item.sightings if draft.kind == "rule" else 0,
        "learned_at": draft.learned_at or NOW,
        "written_at": NOW + number,
        "origin_session": draft.origin_session,
    }
    return a_note(**fields | more)


def said(items: Iterable[ParsedItem]) -> list[tuple[object, ...]]:
    """Return what items say, in an order that does not depend on the file."""
    told = [
        tuple(getattr(item.draft, name) for name in HELD)
        if item.draft
        else tuple((item.episode or item.signal or item).fields().values())
        for item in items
    ]
    return sorted(told, key=repr)
