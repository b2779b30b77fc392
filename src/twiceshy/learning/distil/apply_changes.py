"""Apply the changes proposed by a model; no change can remove a user's note.

Additions are admitted like any other draft. An existing note is reworded, replaced or
doubted only if a machine wrote it, and its history keeps the old state.
"""

from __future__ import annotations

from twiceshy.core.admit import Admitted, Refused, Revised, SeenAgain, Superseding
from twiceshy.core.errors import TwiceshyError
from twiceshy.core.note import SHOWN, Note
from twiceshy.core.value import Value
from twiceshy.learning.distil.answer import Refusal
from twiceshy.notes.edit import edit_fields
from twiceshy.notes.find_by_name import find_notes_by_name
from twiceshy.notes.write import change_note, write_draft

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.app import App
    from twiceshy.core.draft import Draft
    from twiceshy.learning.distil.ask_model import ProposedChange
    from twiceshy.notes.write import Outcome

MACHINES = ("detector", "distiller", "historian")


class AppliedChanges(Value):
    """Result of the proposals: new notes, known notes seen or changed, and refusals."""

    new: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()


def apply_proposals(app: App, proposals: Sequence[ProposedChange]) -> AppliedChanges:
    """Apply the proposals; a failed change is reported and does not stop the rest."""
    taken = AppliedChanges()
    for proposal in proposals:
        try:
            taken = _add_outcome(taken, _apply_proposal(app, proposal))
        except TwiceshyError as error:  # too long, unsafe, busy, gone
            refused = Refusal(_describe_proposal(proposal), str(error))
            taken = taken.but(refusals=(*taken.refusals, refused))
    return taken


def _add_outcome(applied: AppliedChanges, outcome: Outcome | Note | Refusal) -> AppliedChanges:
    match outcome:
        case Admitted(note=note) | Superseding(note=note):
            return applied.but(new=(*applied.new, note.handle))
        case Refused(reason=reason):
            return applied.but(refusals=(*applied.refusals, Refusal("add", reason)))
        case Refusal():
            return applied.but(refusals=(*applied.refusals, outcome))
        case SeenAgain(note=note) | Revised(note=note):
            return applied.but(known=(*applied.known, note.handle))
        case Note():
            return applied.but(known=(*applied.known, outcome.handle))


def _apply_proposal(app: App, proposal: ProposedChange) -> Outcome | Note | Refusal:
    if proposal.op == "add":
        return write_draft(app, proposal.draft)
    named = find_notes_by_name(app.store, proposal.note)
    if len(named) != 1:
        return Refusal(_describe_proposal(proposal), "the note is no longer there")
    if proposal.op == "reinforce":
        return write_draft(app, _repeat_note(proposal.draft, named[0]))
    if not _may_change(named[0], proposal.draft):
        return Refusal(_describe_proposal(proposal), "the note is not a model's to change")
    return _change_note(app, proposal, named[0])


def _may_change(note: Note, draft: Draft) -> bool:
    """True if a model may change a note: machine-written, shown, and not more trusted."""
    own = note.source in MACHINES and note.kind == draft.kind and not note.pinned
    return own and note.status in SHOWN and note.trust <= (draft.trust or 0.0)


def _change_note(app: App, proposal: ProposedChange, note: Note) -> Outcome | Note:
    draft = proposal.draft
    match proposal.op:
        case "refine":
            return edit_fields(app, note, {"text": draft.text})
        case "supersede":
            return write_draft(app, draft.but(scope=note.scope, supersedes=note.id))
        case _:
            reason = f"contradicted: {draft.why}"
            return change_note(app, "doubt", note, status="candidate", reason=reason)


def _repeat_note(draft: Draft, note: Note) -> Draft:
    """Return a draft with the words of a note, for counting the note as seen."""
    return draft.but(
        kind=note.kind, subtype=note.subtype, text=note.text, why="", tag=note.tag,
        scope=note.scope, trigger="",
    )  # fmt: skip


def _describe_proposal(proposal: ProposedChange) -> str:
    return f"{proposal.op} {proposal.note or proposal.draft.text[:60]}"
