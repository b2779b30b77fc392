"""Revise older notes after later calls: a failing call works now, or advice fails."""

from __future__ import annotations

from twiceshy.core.admit import OUTDATED
from twiceshy.core.moment import day
from twiceshy.core.trigger import FORM
from twiceshy.effect.advice import forms
from twiceshy.notes.write import change
from twiceshy.shell.form import form

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.trigger import Match
    from twiceshy.shell.tool_call import Act

ENOUGH = 2  # times the very form that failed has to work, one after the other
_CALLED_WRONGLY = ("usage", "missing")


def renew(app: App, about: Iterable[Match], act: Act, root: str) -> None:
    """Retire notes whose failing call, word for word, now works repeatedly.

    Tools are upgraded.
    """
    said = form(act, root)
    for match in about:
        wrongly = match.trigger.sort in _CALLED_WRONGLY and match.note.source == "detector"
        if not wrongly or forms(match.note)[0] != said:
            continue
        times = app.store.count_call([match.note.id], FORM, failed=act.mistake is not None)
        if times[match.note.id] >= ENOUGH:
            change(app, "retire", match.note, status="retired", reason=f"{OUTDATED}{day(act.at)}")


def overtaken(matches: Iterable[Match], failed: Act, root: str) -> Note | None:
    """Return the note with the failed call as its advice, if the call was used wrongly."""
    if failed.mistake is None or failed.mistake.sort not in _CALLED_WRONGLY:
        return None
    said = form(failed, root)
    for match in matches:
        if match.note.source == "detector" and forms(match.note)[1] == said:
            return match.note
    return None
