"""Tell a preference that rests when a prompt shares its words."""

from __future__ import annotations

from twiceshy.core.text import keep_both_ends
from twiceshy.language.similar import telling_terms_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.recall.event_context import EventContext

_MAX_PROMPT = 4_000  # characters, at both ends
_MOST = 2
_LEAST_SHARED = 2  # telling words; one is chance
_SHARE = 0.4  # of the words of the preference


def tell_resting(context: EventContext, prompt: str, resting: Sequence[Note]) -> str:
    """Return the resting preferences that a prompt is about, best first, once a conversation."""
    asked = telling_terms_of(keep_both_ends(prompt, most=_MAX_PROMPT))

    def shared(note: Note) -> float:
        own = telling_terms_of(note.text)
        common = len(own & asked)
        return common / len(own) if common >= _LEAST_SHARED else 0.0

    told = context.told_notes()
    fit = {note.id: shared(note) for note in resting if note.id not in told}
    about = [
        note for note in resting if fit.get(note.id, 0.0) >= _SHARE and context.may_tell(note)
    ]
    about.sort(key=lambda note: -fit[note.id])
    tokens = context.app.config.integer("brief.call_tokens")
    return context.tell_notes(about[:_MOST], channel="prompt", tokens=tokens)
