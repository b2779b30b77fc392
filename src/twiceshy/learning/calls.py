"""Count calls: errors become signals, and notes about the calls are counted or retired."""

from __future__ import annotations

from twiceshy.learning.renewal import renew
from twiceshy.learning.signals import error_signal

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.trigger import Match
    from twiceshy.learning.state import LearningState
    from twiceshy.shell.tool_call import Act

_COUNTED = frozenset(("usage", "missing", "outcome"))


def count_call(state: LearningState, act: Act) -> None:
    """Capture the error of a call, and count the call for the notes about it."""
    store = state.app.store
    state.add_call(act)
    if act.mistake:
        store.keep(error_signal(state.origin, act))
    about = list(state.triggers.about(act))
    if about and _is_counted(act):
        notes = [match.note.id for match in about]
        store.count_call(notes, act.place, failed=act.mistake is not None)
        renew(state.app, about, act, state.origin.root)


def count_recent_calls(state: LearningState, match: Match) -> None:
    """Count recent calls for a note just written about them."""
    for act in state.recent:
        if _is_counted(act) and match.trigger.matches(act.family, act.parts):
            failed = act.mistake is not None
            state.app.store.count_call([match.note.id], act.place, failed=failed)


def _is_counted(act: Act) -> bool:
    """True if a call is evidence about similar calls; guards and transient errors are not."""
    return act.mistake is None or act.mistake.sort in _COUNTED
