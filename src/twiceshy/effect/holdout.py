"""Hold-out: withhold notes from some sessions to measure the worth of the notes."""

from __future__ import annotations

from twiceshy.effect.chance import draw_lot
from twiceshy.notes.decay import is_exempt

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.note import Note

# A note must have had its chance first: what nobody has been shown, nobody can miss.
SHOWN_BEFORE = 5
_AUTOMATIC = ("detector", "distiller", "historian")


def is_withheld(session: str, note: Note, share: float, *, shown: int) -> bool:
    """True if this session goes without a note shown that often before."""
    if shown < SHOWN_BEFORE or not may_be_withheld(note):
        return False
    return draw_lot("hold-out", session, note.id) < share


def may_be_withheld(note: Note) -> bool:
    """True if a machine learned the note and no person vouches for it."""
    return note.source in _AUTOMATIC and not is_exempt(note)
