"""Preferences heard from the user that wait for review: their order, and one line for each."""

from __future__ import annotations

from twiceshy.core.moment import format_day
from twiceshy.core.text import fold_to_line, strip_unsafe

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.note import Note

_LONGEST = 320  # characters: a sentence is never cut


def is_said_preference(note: Note) -> bool:
    """True for a preference that was heard in a session and waits."""
    return (note.kind, note.source, note.status) == ("preference", "detector", "candidate")


def rank_said_preference(note: Note) -> tuple[int, int, int]:
    """Return the sort key in a review: said most often, then newest; other notes behind."""
    if not is_said_preference(note):
        return 1, 0, 0
    return 0, -note.sightings, -note.learned_at


def render_said_preference(note: Note, *, place: str) -> str:
    """Render a waiting preference as one line, with place and day; empty for other notes."""
    if not is_said_preference(note):
        return ""
    said = fold_to_line(strip_unsafe(note.text), limit=_LONGEST)
    times = f", {note.sightings} times" if note.sightings > 1 else ""
    return f"{note.handle}  you said: {said} ({place}, {format_day(note.learned_at)}{times})"
