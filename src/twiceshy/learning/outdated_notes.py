"""Revise older notes after later calls: a failing call works now, or advice fails."""

from __future__ import annotations

from twiceshy.core.admit import OUTDATED
from twiceshy.core.moment import format_day
from twiceshy.core.trigger import FORM
from twiceshy.effect.advice import find_forms
from twiceshy.notes.write import change_note
from twiceshy.shell.call_summary import summarise_call

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.trigger import TriggerMatch
    from twiceshy.shell.tool_call import ToolCall

ENOUGH_SUCCESSES = 2  # times the very form that failed has to work, one after the other
_CALLED_WRONGLY = ("usage", "missing")


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
            change_note(
                app,
                "retire",
                match.note,
                status="retired",
                reason=f"{OUTDATED}{format_day(act.at)}",
            )


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
