"""Hold-out: withhold lessons from some sessions to measure the worth of the lessons.

A session and a lesson draw one lot, whatever the channel, in every process and on every machine.
The lot is recorded with every exposure, told or withheld: only sessions with a lot can be
compared, and only with sessions of the same share. The mixer is splitmix64; a hash of the
standard library would cost a hook more than the draw is worth.
"""

from __future__ import annotations

from twiceshy.core.evidence import SHOWN_BEFORE_LOTS
from twiceshy.core.note import is_exempt

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.note import Note

_BITS = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15  # 2**64 divided by the golden ratio

_AUTOMATIC = ("detector", "distiller", "historian")
_THOUSAND = 1_000


def derive_seed(*names: str) -> int:
    """Return 64 bits derived from the names, in order."""
    raw = "\x1f".join(names).encode("utf-8", "surrogatepass")
    seed = len(raw)
    for at in range(0, len(raw), 8):
        seed = _mix_bits(seed ^ int.from_bytes(raw[at : at + 8], "little"))
    return seed


def draw_lot(*names: str) -> float:
    """Return a number in [0, 1) derived from the names."""
    return (_mix_bits(derive_seed(*names)) >> 11) / (1 << 53)


def _mix_bits(number: int) -> int:
    number = (number + _STEP) & _BITS
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & _BITS
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & _BITS
    return number ^ (number >> 31)


def lot_for(note: Note, share: float) -> int:
    """Return the lot of a session that meets a note first: thousandths withheld, or 0 for none."""
    if note.recalls < SHOWN_BEFORE_LOTS or not may_be_withheld(note):
        return 0
    return round(share * _THOUSAND)


def is_withheld(session: str, note: str, lot: int) -> bool:
    """True if this session goes without a note, by its lot."""
    return lot > 0 and draw_lot("hold-out", session, note) * _THOUSAND < lot


def may_be_withheld(note: Note) -> bool:
    """True if a machine learned the note, no person vouches for it, and calls tell its effect."""
    return bool(note.trigger) and note.source in _AUTOMATIC and not is_exempt(note)
