"""Feedback of an agent on a note: counted, may send the note to review, never erases.

An opinion is no outcome: the effect is measured by later calls, and feedback does not enter
the measurement. Notes written, pinned or approved by a person stay visible whatever an agent
says.
"""

from __future__ import annotations

from twiceshy.core.admit import DOUBTED
from twiceshy.core.text import clean, one_line
from twiceshy.core.value import Value
from twiceshy.effect.reconsider import contradict
from twiceshy.notes.write import change

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


class Judged(Value):
    """A note with feedback of an agent, and its status afterwards."""

    note: Note
    became: Became


def judge_note(app: App, note: Note, verdict: Verdict, *, comment: str = "") -> Judged:
    """Count feedback of an agent; send a bad note to review."""
    with app.store.change():
        if counter := _COUNTERS.get(verdict):
            app.store.tally(counter, [note.id])
        if verdict == "helped":
            return Judged(note, "counted")
        said = one_line(clean(comment), limit=_LONGEST)
        why = f"an agent says it is {verdict}" + (f": {said}" if said else "")
        if note.status != "active":
            return Judged(note, "waiting")
        decision = contradict(app, note, by=why)
        if decision is not None:
            return Judged(decision.note, "probation")
        return Judged(change(app, "doubt", note, reason=DOUBTED + why), "marked")
