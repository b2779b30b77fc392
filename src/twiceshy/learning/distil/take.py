"""Apply the changes proposed by a model; no change can remove a user's note.

Additions are admitted like any other draft. An existing note is reworded, replaced or
doubted only if a machine wrote it, and its history keeps the old state.
"""

from __future__ import annotations

from twiceshy.core.admit import Admitted, Refused, Revised, Seen, Superseding
from twiceshy.core.errors import TwiceshyError
from twiceshy.core.note import SHOWN, Note
from twiceshy.core.value import Value
from twiceshy.learning.distil.answer import Refusal
from twiceshy.notes.edit import edit
from twiceshy.notes.naming import notes_named
from twiceshy.notes.write import change, write

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.app import App
    from twiceshy.core.draft import Draft
    from twiceshy.learning.distil.asking import Proposal
    from twiceshy.notes.write import Outcome

MACHINES = ("detector", "distiller", "historian")


class Taken(Value):
    """Result of the proposals: new notes, known notes seen or changed, and refusals."""

    new: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()


def take(app: App, proposals: Sequence[Proposal]) -> Taken:
    """Apply the proposals; a failed change is reported and does not stop the rest."""
    taken = Taken()
    for proposal in proposals:
        try:
            taken = _with(taken, _made(app, proposal))
        except TwiceshyError as error:  # too long, unsafe, busy, gone
            refused = Refusal(_about(proposal), str(error))
            taken = taken.but(refusals=(*taken.refusals, refused))
    return taken


def _with(taken: Taken, made: Outcome | Note | Refusal) -> Taken:
    match made:
        case Admitted(note=note) | Superseding(note=note):
            return taken.but(new=(*taken.new, note.handle))
        case Refused(reason=reason):
            return taken.but(refusals=(*taken.refusals, Refusal("add", reason)))
        case Refusal():
            return taken.but(refusals=(*taken.refusals, made))
        case Seen(note=note) | Revised(note=note):
            return taken.but(known=(*taken.known, note.handle))
        case Note():
            return taken.but(known=(*taken.known, made.handle))


def _made(app: App, proposal: Proposal) -> Outcome | Note | Refusal:
    if proposal.op == "add":
        return write(app, proposal.draft)
    named = notes_named(app.store, proposal.note)
    if len(named) != 1:
        return Refusal(_about(proposal), "the note is no longer there")
    if proposal.op == "reinforce":
        return write(app, _again(proposal.draft, named[0]))
    if not _may_change(named[0], proposal.draft):
        return Refusal(_about(proposal), "the note is not a model's to change")
    return _changed(app, proposal, named[0])


def _may_change(note: Note, draft: Draft) -> bool:
    """True if a model may change a note: machine-written, shown, and not more trusted."""
    own = note.source in MACHINES and note.kind == draft.kind and not note.pinned
    return own and note.status in SHOWN and note.trust <= (draft.trust or 0.0)


def _changed(app: App, proposal: Proposal, note: Note) -> Outcome | Note:
    draft = proposal.draft
    match proposal.op:
        case "refine":
            return edit(app, note, {"text": draft.text})
        case "supersede":
            return write(app, draft.but(scope=note.scope, supersedes=note.id))
        case _:
            reason = f"contradicted: {draft.why}"
            return change(app, "doubt", note, status="candidate", reason=reason)


def _again(draft: Draft, note: Note) -> Draft:
    """Return a draft with the words of a note, for counting the note as seen."""
    return draft.but(
        kind=note.kind, subtype=note.subtype, text=note.text, why="", tag=note.tag,
        scope=note.scope, trigger="",
    )  # fmt: skip


def _about(proposal: Proposal) -> str:
    return f"{proposal.op} {proposal.note or proposal.draft.text[:60]}"
