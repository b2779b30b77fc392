"""Change an existing note: text, scope, status."""

from collections.abc import Mapping

from twiceshy.app import App
from twiceshy.core.admit import BY_HAND
from twiceshy.core.draft import Draft, prepare
from twiceshy.core.errors import NoteError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import STATUSES, Note
from twiceshy.core.scope import Scope
from twiceshy.notes.write import (
    change_note,
    count_merged_note,
    is_held_back,
    require_person_to_show,
    reread_note,
    supersede_note,
)
from twiceshy.safety.gate_rules import vouch_for

EDITABLE = ("text", "why", "tag", "files", "concepts", "trigger", "subtype", "state")


def edit_fields(app: App, note: Note, fields: Mapping[str, object]) -> Note:
    """Revise a note; the old text stays in its history."""
    with app.store.change():
        note = reread_note(app.store, note)
        ready = prepare(draft_of_note(note).but(**fields), app.gate_of(note.scope.project))
        duplicate = app.store.find_duplicate(ready)
        if duplicate and duplicate.id != note.id and duplicate.fingerprint == ready.fingerprint:
            raise NoteError(
                f"{duplicate.handle} says exactly this already",
                hint=f"retire one of the two: twiceshy retire {note.handle}",
            )
        return change_note(app, "edit", note, **{name: getattr(ready, name) for name in EDITABLE})


def pin_note(app: App, note: Note) -> Note:
    """Pin a note: shown first, never retired automatically."""
    return change_note(app, "pin", note, pinned=True)


def unpin_note(app: App, note: Note) -> Note:
    """Remove the pin of a note."""
    return change_note(app, "unpin", note, pinned=False)


def retire_note(app: App, note: Note, *, reason: str = BY_HAND) -> Note:
    """Retire a note: hidden, searchable, restorable."""
    return change_note(app, "retire", note, status="retired", reason=reason)


def restore_note(app: App, note: Note) -> Note:
    """Make a hidden note active again; a person must confirm what was or is held."""
    with app.store.change():
        note = reread_note(app.store, note)
        duplicate = app.store.find_duplicate(draft_of_note(note))
        if (
            note.superseded_by
            and duplicate is not None
            and duplicate.fingerprint == note.fingerprint
        ):
            raise NoteError(
                f"{duplicate.handle} says exactly this already",
                hint=f"see: twiceshy show {duplicate.handle}",
            )
        held = NoteFilter(statuses=(), ending=note.id, held=True)
        waits = is_held_back(app.store, note) or bool(app.store.notes(held, limit=1))
        if waits:
            require_person_to_show([note])
        shown = change_note(app, "restore", note, status="active", reason="", superseded_by="")
        if waits:
            app.store.save_records(vouch_for(shown))
        return shown


def move_note(app: App, note: Note, scope: Scope) -> Note:
    """Move a note to another scope; an equal note there is merged."""
    with app.store.change():
        note = reread_note(app.store, note)
        duplicate = app.store.find_duplicate(draft_of_note(note).but(scope=scope))
        if duplicate is None or duplicate.id == note.id:
            return change_note(app, "move", note, project=scope.project, skill=scope.skill)
        supersede_note(app, note, by=duplicate)
        return count_merged_note(app, duplicate, note)


def clear_notes(app: App, which: NoteFilter, *, reason: str) -> int:
    """Retire every matching note as one undoable change."""
    shown = tuple(status for status in which.statuses or STATUSES if status != "retired")
    if not shown:
        return 0
    which, count = which.but(statuses=shown), 0
    with app.store.change():
        while some := app.store.notes(which, limit=500):
            for note in some:
                retire_note(app, note, reason=reason)
            count += len(some)
    return count


def draft_of_note(note: Note) -> Draft:
    """Return the draft that would write a note again."""
    shared = {name: getattr(note, name) for name in Draft.__fields__ if name in note.fields()}
    return Draft.of(shared)
