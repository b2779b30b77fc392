"""Count calls: errors become signals, and notes about the calls are counted or retired.

A note is revised when a failing call works now, or when its advice fails.
"""

from __future__ import annotations

from twiceshy.core.admit import OUTDATED
from twiceshy.core.evidence import Signal
from twiceshy.core.moment import format_day
from twiceshy.core.trigger import FORM
from twiceshy.effect.advice import find_forms
from twiceshy.notes.write import change_note
from twiceshy.shell.call_summary import relative_to_root, summarise_call
from twiceshy.shell.summary import cut_excerpt

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.app import App
    from twiceshy.core.evidence import SignalKind
    from twiceshy.core.note import Note
    from twiceshy.core.trigger import TriggerMatch
    from twiceshy.learning.detect.correction import Correction
    from twiceshy.learning.detect.watch import CallPattern
    from twiceshy.learning.sources import SessionOrigin
    from twiceshy.learning.state import LearningState
    from twiceshy.shell.tool_call import ToolCall

_COUNTED_CATEGORIES = frozenset(("usage", "missing", "outcome"))
ENOUGH_SUCCESSES = 2  # times the very form that failed has to work, one after the other
_CALLED_WRONGLY = ("usage", "missing")


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


def retire_outdated_notes(
    app: App, about: Iterable[TriggerMatch], act: ToolCall, root: str
) -> None:
    """Retire notes whose failing call, word for word, now works repeatedly.

    Tools are upgraded.
    """
    said = summarise_call(act, root)
    for match in about:
        wrongly = match.trigger.category in _CALLED_WRONGLY and match.note.source == "detector"
        if not wrongly or find_forms(match.note)[0] != said:
            continue
        times = app.store.count_call([match.note.id], FORM, failed=act.mistake is not None)
        if times[match.note.id] >= ENOUGH_SUCCESSES:
            reason = f"{OUTDATED}{format_day(act.at)}"
            change_note(app, "retire", match.note, status="retired", reason=reason)


def find_failed_advice(
    matches: Iterable[TriggerMatch], failed: ToolCall, root: str
) -> Note | None:
    """Return the note with the failed call as its advice, if the call was used wrongly."""
    if failed.mistake is None or failed.mistake.category not in _CALLED_WRONGLY:
        return None
    said = summarise_call(failed, root)
    for match in matches:
        if match.note.source == "detector" and find_forms(match.note)[1] == said:
            return match.note
    return None


def build_error_signal(origin: SessionOrigin, act: ToolCall) -> Signal:
    """Build the signal of a call that failed."""
    target, line = summarise_call(act, origin.root), act.mistake.line if act.mistake else ""
    return _build_signal(origin, act, "error", target, line)


def build_pattern_signal(origin: SessionOrigin, pattern: CallPattern) -> Signal:
    """Build the signal of a loop, a thrash or a workflow."""
    act, target = pattern.call, relative_to_root(pattern.target, origin.root)
    return _build_signal(origin, act, pattern.kind, target, pattern.excerpt)


def _build_signal(
    origin: SessionOrigin, act: ToolCall, kind: SignalKind, target: str, excerpt: str
) -> Signal:
    return Signal(
        key=f"{'call' if kind == 'error' else kind}:{act.id}",
        kind=kind,
        session=origin.session,
        project=origin.project,
        at=act.at,
        skill=act.skill,
        tool=act.tool,
        target=target,
        mistake=act.mistake.signature if act.mistake else "",
        excerpt=cut_excerpt(excerpt),
        call=act.id,
    )


def build_correction_signal(origin: SessionOrigin, correction: Correction) -> Signal:
    """Build the signal of a correction by the user."""
    call = correction.call
    return Signal(
        key=f"said:{correction.id}",
        kind="correction",
        session=origin.session,
        project=origin.project,
        at=correction.at,
        skill=correction.skill,
        tool=call.tool if call else "",
        target=summarise_call(call, origin.root) if call else "",
        mistake=f"{correction.tier}|{correction.category}",
        excerpt=correction.text,
        call=call.id if call else "",
    )
