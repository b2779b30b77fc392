"""Count calls: errors become signals, and notes about the calls are counted or retired."""

from __future__ import annotations

from twiceshy.learning.outdated_notes import retire_outdated_notes
from twiceshy.learning.signals import build_error_signal

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.trigger import TriggerMatch
    from twiceshy.learning.state import LearningState
    from twiceshy.shell.tool_call import ToolCall

_COUNTED_CATEGORIES = frozenset(("usage", "missing", "outcome"))


def count_call(state: LearningState, act: ToolCall) -> None:
    """Capture the error of a call, and count the call for the notes about it."""
    store = state.app.store
    state.add_call(act)
    if act.mistake:
        store.save_records(build_error_signal(state.origin, act))
    about = list(state.triggers.match_call(act))
    if about and _is_counted(act):
        notes = [match.note.id for match in about]
        store.count_call(notes, act.place, failed=act.mistake is not None)
        retire_outdated_notes(state.app, about, act, state.origin.root)


def count_recent_calls(state: LearningState, match: TriggerMatch) -> None:
    """Count recent calls for a note just written about them."""
    for act in state.recent:
        if _is_counted(act) and match.trigger.matches(act.family, act.parts):
            failed = act.mistake is not None
            state.app.store.count_call([match.note.id], act.place, failed=failed)


def _is_counted(act: ToolCall) -> bool:
    """True if a call is evidence about similar calls; guards and transient errors are not."""
    return act.mistake is None or act.mistake.category in _COUNTED_CATEGORIES
