"""Proposed rules: they wait for a person, expire, and may be proposed again."""

from __future__ import annotations

from twiceshy.core.filter import NoteFilter
from twiceshy.notes.write import change_note, is_held_back

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.store import Store

PROPOSAL_EXPIRED = "expired: "  # how the reason of a proposal begins that nobody decided about


def list_proposals(store: Store) -> list[Note]:
    """Return the proposed rules that wait for a decision, except those a person wrote."""
    waiting = store.notes(NoteFilter(kinds=("rule",), statuses=("candidate",)), limit=None)
    return [note for note in waiting if note.source != "user" and not note.pinned]


def find_proposed_rule(store: Store, note: Note) -> Note | None:
    """Return the rule made of a note that waits or holds; None if there is none."""
    which = NoteFilter(projects=(note.scope.project,), kinds=("rule",), tag=note.id)
    return next(iter(store.notes(which, limit=1)), None)


def propose_again(app: App, rules: Iterable[Note]) -> None:
    """Propose the expired ones of these rules again; rejected rules stay rejected."""
    for rule in rules:
        expired = rule.status == "retired" and rule.reason.startswith(PROPOSAL_EXPIRED)
        if expired and not is_held_back(app.store, rule):
            change_note(app, "restore", rule, status="candidate", reason="")
