"""Apply the answers of a reflection and remove notes marked earlier; undoable."""

from __future__ import annotations

from twiceshy.core.errors import NoteError
from twiceshy.core.history import replay_episode
from twiceshy.notes.edit import edit
from twiceshy.notes.naming import notes_named
from twiceshy.notes.write import as_it_is, change
from twiceshy.project.reflect.questions import Covered, Keep, Remove, Shorten, decided_of, written
from twiceshy.project.reflect.removal import (
    MARK,
    PENDING,
    REMOVE,
    SPARE,
    Pending,
    check_markable,
    check_removable,
    needed_since,
    pending_of,
    reason_of,
)
from twiceshy.project.reflect.report import ticked

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from twiceshy.app import App
    from twiceshy.core.evidence import Episode
    from twiceshy.core.note import Note
    from twiceshy.core.store import Store
    from twiceshy.project.reflect.questions import Answer

_MOST_SHOWN = 50


def carry_out(app: App, cycle: Episode, note: Note, answer: Answer) -> Note:
    """Apply an answer to a note, and record the answer in the reflection that asked."""
    with app.store.change():
        note = as_it_is(app.store, note)
        asked = _number(cycle, note)
        done = _done(app, cycle, note, answer)
        _record(app, cycle, asked, written(answer), revision=done.revision)
        return done


def remove(app: App, note: Note, cycle: Episode | None, *, day_of: Callable[[int], str]) -> Note:
    """Retire a note marked by an earlier reflection.

    The user has confirmed the removal, and can restore the note.
    """
    with app.store.change():
        note = as_it_is(app.store, note)
        pending = check_removable(note, cycle, day_of=day_of)
        if _needed(app.store, note, pending):
            raise NoteError(
                f"{note.handle} was needed since it was marked",
                hint=f"show it again: twiceshy restore {note.handle}",
            )
        covered = f"covered by {pending.rule}" if pending.rule else "confirmed"
        reason = f"removed: marked on {day_of(pending.at)}, {covered}"
        gone = change(app, REMOVE, note, status="retired", reason=reason)
        if cycle and (number := _asked(cycle, note)) is not None:
            _record(app, cycle, number, "removed", revision=gone.revision)
        return gone


def spare_needed(app: App, notes: Iterable[Note]) -> list[Note]:
    """Restore and return pending notes learned, changed or shown since they were marked."""
    with app.store.change():
        return [
            _shown_again(app, note)
            for note in notes
            if (pending := pending_of(note)) and _needed(app.store, note, pending)
        ]


def _done(app: App, cycle: Episode, note: Note, answer: Answer) -> Note:
    match answer:
        case Keep():
            return _shown_again(app, note) if note.status == PENDING else note
        case Shorten(text):
            return _shortened(app, note, text)
        case Covered(rule):
            return _marked(app, cycle, note, _a_rule(app.store, rule).handle)
        case Remove():
            return _marked(app, cycle, note, "")


def _shortened(app: App, note: Note, text: str) -> Note:
    if note.kind == "rule":
        raise NoteError(f"{note.handle} is a rule", hint="reword it with: twiceshy review --edit")
    if len(text) >= len(note.text):
        raise NoteError(
            f"that is no shorter: {len(text)} characters instead of {len(note.text)}",
            hint=f"to reword it: twiceshy edit {note.handle}",
        )
    return edit(app, note, {"text": text})


def _marked(app: App, cycle: Episode, note: Note, rule: str) -> Note:
    check_markable(note)
    reason = reason_of(Pending(cycle.id, app.store.now(), rule))
    return change(app, MARK, note, status=PENDING, reason=reason)


def _shown_again(app: App, note: Note) -> Note:
    return change(app, SPARE, note, status="active", reason="")


def _a_rule(store: Store, name: str) -> Note:
    rules = [
        note
        for note in notes_named(store, name)
        if note.kind == "rule" and note.status == "active"
    ]
    if len(rules) != 1:
        raise NoteError(
            f"{name!r} is no rule that holds", hint="see: twiceshy list --kind rule --all"
        )
    return rules[0]


def _needed(store: Store, note: Note, pending: Pending) -> bool:
    shown = store.exposures(note=note.id, limit=_MOST_SHOWN)
    return needed_since(pending, store.history(note.id), shown)


def _number(cycle: Episode, note: Note) -> int:
    """Return the index of the reflection's question about a note, or raise NoteError."""
    number = _asked(cycle, note)
    if number is None:
        raise NoteError(
            f"the last reflection asked nothing about {note.handle}",
            hint="see what it asked: twiceshy reflect --show",
        )
    return number


def _asked(cycle: Episode, note: Note) -> int | None:
    asked = [each.note for each in decided_of(cycle.requests)]
    return asked.index(note.id) if note.id in asked else None


def _record(app: App, cycle: Episode, number: int, answer: str, *, revision: int) -> None:
    """Tick a candidate off in the report, and keep the answer for the next reflection."""
    known = replay_episode(app.store.history(cycle.id)) or cycle
    asked = decided_of(known.requests)
    asked[number] = asked[number].but(answer=answer, revision=revision)
    after = {
        "requests": tuple(each.line() for each in asked),
        "summary": ticked(known.summary, number, answer),
    }
    before = {name: getattr(known, name) for name in after}
    if after != before:
        app.store.record("edit", cycle.id, after, before=before)
