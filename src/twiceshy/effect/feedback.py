"""Feedback of an agent on a note: counted, may send the note to review, never erases.

An opinion is no outcome: the effect is measured by later calls, and feedback does not enter
the measurement. Notes written, pinned or approved by a person stay visible whatever an agent
says.
"""

from __future__ import annotations

from twiceshy.core.admit import DOUBTED
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.value import Value
from twiceshy.effect.reconsider import doubt_note
from twiceshy.notes.write import change_note

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Literal

    from twiceshy.app import App
    from twiceshy.core.note import Note

    Verdict = Literal["helped", "wrong", "outdated"]
    Became = Literal["counted", "probation", "marked", "waiting"]

VERDICTS: tuple[Verdict, ...] = ("helped", "wrong", "outdated")
_COUNTERS = {"helped": "helped", "wrong": "harmed"}
_LONGEST = 200


class FeedbackResult(Value):
    """A note with feedback of an agent, and its status afterwards."""

    note: Note
    became: Became


def judge_note(app: App, note: Note, verdict: Verdict, *, comment: str = "") -> FeedbackResult:
    """Count feedback of an agent; send a bad note to review."""
    with app.store.change():
        if counter := _COUNTERS.get(verdict):
            app.store.increment_counter(counter, [note.id])
        if verdict == "helped":
            return FeedbackResult(note, "counted")
        said = fold_to_line(strip_unsafe(comment), limit=_LONGEST)
        why = f"an agent says it is {verdict}" + (f": {said}" if said else "")
        if note.status != "active":
            return FeedbackResult(note, "waiting")
        decision = doubt_note(app, note, by=why)
        if decision is not None:
            return FeedbackResult(decision.note, "probation")
        return FeedbackResult(change_note(app, "doubt", note, reason=DOUBTED + why), "marked")
