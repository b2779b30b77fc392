"""Propose notes from what a session taught: a draft, its quarantine, and a rule."""

from twiceshy.app import App
from twiceshy.core.admit import Admitted, Refused, Revised, SeenAgain, Superseding
from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import SHOWN, Note
from twiceshy.learning.detect.rule_sentence import word_rule
from twiceshy.learning.sources import SessionOrigin
from twiceshy.notes.propose import propose_again
from twiceshy.notes.write import change_note, write_draft

_RULE_SIGHTINGS = 3
_RULE_DAYS = 3
_MOST_RULES = 1_000


def propose_note(
    app: App, draft: Draft, *, keep_apart: bool = False
) -> Admitted | SeenAgain | Revised | Superseding | None:
    """Propose a note; None if refused or not fit to keep."""
    try:
        outcome = write_draft(app, draft, keep_apart=keep_apart)
    except NoteError:  # too long, or not fit to be read; there is more to learn behind it
        return None
    return None if isinstance(outcome, Refused) else outcome


def propose_rule(app: App, origin: SessionOrigin, note: Note) -> None:
    """Propose a rule for a note learned repeatedly on different days: one sentence of advice."""
    often = note.sightings >= _RULE_SIGHTINGS and note.days >= _RULE_DAYS
    text = word_rule(note.text) if note.kind == "lesson" else note.text
    if not often or not text or note.status not in SHOWN or note.kind == "rule":
        return
    rule = Draft(
        kind="rule",
        subtype="hard",
        text=text,
        scope=note.scope,
        source="detector",
        trigger=note.trigger,
        tag=note.id,
        trust=note.trust,
        origin_project=origin.project,
        origin_session=origin.session,
        learned_at=note.learned_at,
    )
    rules = NoteFilter(projects=(note.scope.project,), kinds=("rule",), statuses=())
    known = [each for each in app.store.notes(rules, limit=_MOST_RULES) if each.tag == note.id]
    propose_again(app, known)
    if not known:
        write_draft(app, rule)


def quarantine_note(app: App, note: Note, why: str) -> Note:
    """Quarantine a shown note if ``why`` gives a danger in its advice."""
    if note.status not in SHOWN or not why:
        return note
    return change_note(app, "quarantine", note, status="quarantined", reason=why)
