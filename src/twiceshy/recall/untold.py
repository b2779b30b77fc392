"""Notes about a question that recall does not tell, and the causes: not active, expired, not approved."""

from __future__ import annotations

from twiceshy.core.filter import filter_visible_notes
from twiceshy.core.value import Value
from twiceshy.language.rank import grade_fit, rank_notes
from twiceshy.recall.recall_notes import filter_tellable, search_notes

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Literal

    from twiceshy.app import App
    from twiceshy.core.note import Note, NoteStatus
    from twiceshy.core.scope import Scope
    from twiceshy.language.rank import RankedNote
    from twiceshy.recall.nearest import RecallAnswer
    from twiceshy.recall.question import AskedQuestion

    Cause = Literal["waiting", "retired about", "expired", "travelled", "unapproved"]

WAITING: tuple[NoteStatus, ...] = ("candidate", "quarantined", "pending removal")
NOT_ACTIVE: tuple[NoteStatus, ...] = (*WAITING, "retired")
_LOOKED_AT = 50  # notes that share a word with the question


class UntoldNotes(Value):
    """Notes that a question finds and recall does not tell; whether they fit it well."""

    notes: Sequence[Note]
    fitting: bool


def find_untold(
    app: App,
    scope: Scope,
    question: AskedQuestion,
    answer: RecallAnswer,
    found: Sequence[RankedNote],
) -> UntoldNotes:
    """Find the notes about a question that may not be told, or are not active.

    ``found`` are the active notes that the question finds. Where nothing at all is told, notes that
    only share a word with the question count, too.
    """
    which = filter_visible_notes(app.store, scope).but(kinds=(), statuses=NOT_ACTIVE)
    others = search_notes(
        app.store, question.text, which, limit=_LOOKED_AT, meaning=question.meaning
    )
    told = {note.id for note in list_tellable(app, [one.note for one in found])}
    every = [*(one for one in found if one.note.id not in told), *others]
    fitting = [one.note for one in every if grade_fit(one.fit) == "good"]
    if fitting or answer.fit != "none":
        return UntoldNotes(fitting if question.is_telling else (), fitting=True)
    sharing = [one.note for one in every if one.fit.words > 0]
    return UntoldNotes(sharing if question.is_telling else (), fitting=False)


def list_tellable(app: App, notes: Iterable[Note]) -> list[Note]:
    """Return the notes that are active and may be told."""
    active = [note for note in notes if note.status == "active"]
    now = app.store.now()
    ranked = rank_notes(active, {}, now=now)
    told = filter_tellable(app.store, ranked, now=now, key=app.rule_key)
    return [one.note for one in told if app.is_welcome(one.note)]


def sort_by_cause(app: App, notes: Sequence[Note]) -> dict[Cause, list[Note]]:
    """Sort notes that are not told by the cause; notes that may be told are left out."""
    told = {note.id for note in list_tellable(app, notes)}
    now = app.store.now()
    causes: dict[Cause, list[Note]] = {
        "waiting": [],
        "retired about": [],
        "expired": [],
        "travelled": [],
        "unapproved": [],
    }
    for note in notes:
        if note.id not in told:
            causes[_name_cause(app, note, now)].append(note)
    return {cause: those for cause, those in causes.items() if those}


def _name_cause(app: App, note: Note, now: int) -> Cause:
    if note.status in WAITING:
        return "waiting"
    if note.status == "retired":
        return "retired about"
    if note.is_expired(now):
        return "expired"
    return "unapproved" if app.is_welcome(note) else "travelled"
