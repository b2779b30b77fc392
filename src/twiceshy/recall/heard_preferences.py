"""Limit the preferences heard in sessions that a session start tells."""

from __future__ import annotations

from twiceshy.core.text import estimate_tokens
from twiceshy.recall.brief import render_note_line

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.language.rank import RankedNote


def is_heard(note: Note) -> bool:
    """True for a preference that nobody wrote down or pinned: it was heard in a session."""
    return (
        note.kind == "preference" and note.source in ("detector", "distiller") and not note.pinned
    )


def limit_heard(ranked: Sequence[RankedNote], *, tokens: int) -> list[RankedNote]:
    """Keep the heard preferences within a budget: said most often, then the newest, first.

    Every session pays: 60 tokens told cost 240, and a correction that need not be repeated saves
    a turn of 6,000. So they pay for themselves if one session in 25 has one correction less.
    """
    heard = [one.note for one in ranked if is_heard(one.note)]
    heard.sort(key=lambda note: (-note.sightings, -note.learned_at, note.id))
    kept: set[str] = set()
    left = tokens
    for note in heard:
        cost = estimate_tokens(render_note_line(note))
        if cost <= left:
            kept.add(note.id)
            left -= cost
    return [one for one in ranked if one.note.id in kept or not is_heard(one.note)]
