"""Let heard preferences rest that nobody repeated: a prompt about their subject still gets them."""

from __future__ import annotations

from bisect import bisect_right

from twiceshy.core.filter import NoteFilter
from twiceshy.core.history import SEE
from twiceshy.core.scope import EVERYWHERE
from twiceshy.notes.write import change_note

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.scope import Scope
    from twiceshy.core.store import Store

RESTING = "resting"
SESSIONS = 30  # of its project, in which a preference was not said again
REST, WAKE = "rest", "wake"
_BY_MACHINE = (SEE, "activate", REST, WAKE)


def rest_preferences(app: App) -> list[Note]:
    """Let the heard preferences rest that were not said again for many sessions.

    Every session start pays for a told preference. One that a person accepted, pinned or reworded
    stays, or is told again.
    """
    starts: dict[Scope, list[int]] = {}
    with app.store.change():
        for note in _list_heard(app.store, RESTING):
            if note.pinned or not _is_untouched(app.store, note):
                change_note(app, WAKE, note, state="current")
        due = [
            note for note in _list_heard(app.store, "current") if _is_due(app.store, note, starts)
        ]
        return [change_note(app, REST, note, state=RESTING) for note in due]


def _list_heard(store: Store, state: str) -> list[Note]:
    which = NoteFilter(kinds=("preference",), statuses=("active",), state=state)
    heard = store.notes(which, limit=None)
    return [note for note in heard if note.source in ("detector", "distiller")]


def _is_due(store: Store, note: Note, starts: dict[Scope, list[int]]) -> bool:
    if note.pinned or note.scope.project == EVERYWHERE:
        return False
    if note.scope not in starts:
        starts[note.scope] = store.list_session_starts(note.scope)
    begun = starts[note.scope]
    if len(begun) - bisect_right(begun, note.learned_at) < SESSIONS:
        return False
    return _is_untouched(store, note)


def _is_untouched(store: Store, note: Note) -> bool:
    """True if nobody accepted, reworded or brought back a note."""
    return all(entry.op in _BY_MACHINE for entry in store.history(note.id)[1:])
