"""Count calls: errors become signals, and notes about the calls are counted, or retired as outdated."""

from __future__ import annotations

from twiceshy.core.admit import OUTDATED
from twiceshy.core.moment import day
from twiceshy.core.trigger import FORM
from twiceshy.effect.advice import forms
from twiceshy.learning.signals import error_signal
from twiceshy.notes.write import change
from twiceshy.shell.form import form

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.core.trigger import Match
    from twiceshy.learning.state import LearningState
    from twiceshy.shell.tool_call import Act

CALLED_WRONGLY = ("usage", "missing")
_COUNTED = frozenset((*CALLED_WRONGLY, "outcome"))
_WORKED_AGAIN = 2  # times the very form that failed has to work, one after the other


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
        _retire_outdated(state, about, act)


def count_recent_calls(state: LearningState, match: Match) -> None:
    """Count the calls right before a note was written that the note is about."""
    for act in state.recent:
        if _is_counted(act) and match.trigger.matches(act.family, act.parts):
            failed = act.mistake is not None
            state.app.store.count_call([match.note.id], act.place, failed=failed)


def _retire_outdated(state: LearningState, about: Iterable[Match], act: Act) -> None:
    """Retire a note whose failing form, word for word, works again and again: tools are upgraded."""
    said = form(act, state.origin.root)
    for match in about:
        wrongly = match.trigger.sort in CALLED_WRONGLY and match.note.source == "detector"
        if not wrongly or forms(match.note)[0] != said:
            continue
        failed = act.mistake is not None
        times = state.app.store.count_call([match.note.id], FORM, failed=failed)
        if times[match.note.id] >= _WORKED_AGAIN:
            reason = f"{OUTDATED}{day(act.at)}"
            change(state.app, "retire", match.note, life="retired", reason=reason)


def _is_counted(act: Act) -> bool:
    """True if a call says something about calls like it: guards and transient errors do not."""
    return act.mistake is None or act.mistake.sort in _COUNTED
