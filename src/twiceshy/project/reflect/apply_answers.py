"""Apply the answers of a reflection; remove in two steps, each undoable.

A note is marked in a reflection and removed in a later one on another day, after the user confirmed;
every other order is refused. A note learned, changed or shown again in between stays.
"""

from __future__ import annotations

from twiceshy.core.errors import NoteError
from twiceshy.core.history import SEE, UNSEE, JournalEntry, replay_episode
from twiceshy.core.moment import format_stamp, parse_stamp
from twiceshy.core.note import SHOWN, Note
from twiceshy.core.value import Value
from twiceshy.notes.edit import edit_fields
from twiceshy.notes.find_by_name import find_notes_by_name
from twiceshy.notes.write import change_note, reread_note
from twiceshy.project.reflect.questions import (
    CoveredByRule,
    Keep,
    Remove,
    Shorten,
    answer_word,
    parse_decisions,
)
from twiceshy.project.reflect.report import tick_candidate

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from twiceshy.app import App
    from twiceshy.core.evidence import Episode, Exposure
    from twiceshy.core.store import Store
    from twiceshy.project.reflect.questions import Answer

PENDING = "pending removal"
MARK, REMOVE, SPARE = "mark", "remove", "spare"
_REASON = "reflection "
_AT_TIME = " at "
_CONTENT_FIELDS = frozenset(
    ("kind", "subtype", "text", "why", "tag", "files", "concepts", "trigger")
)
_MARK_FIRST = "mark it first: twiceshy reflect --answer ID=remove"
_MAX_EXPOSURES = 50


class PendingRemoval(Value):
    """Removal mark: reflection, time, and the covering rule, if any."""

    cycle: str
    at: int
    rule: str = ""


def render_reason(pending: PendingRemoval) -> str:
    """Render the removal mark as a note's reason."""
    covered = f"; covered by {pending.rule}" if pending.rule else ""
    return f"{_REASON}{pending.cycle}{_AT_TIME}{format_stamp(pending.at)}{covered}"


def parse_reason(note: Note) -> PendingRemoval | None:
    """Parse the removal mark of a note; None if missing or in another form."""
    if note.status != PENDING or not note.reason.startswith(_REASON):
        return None
    told, _, rule = note.reason.removeprefix(_REASON).partition("; covered by ")
    cycle, _, when = told.partition(_AT_TIME)
    try:
        return PendingRemoval(cycle, parse_stamp(when), rule) if cycle else None
    except ValueError:
        return None


def check_markable(note: Note) -> None:
    """Refuse to mark rules (see `review`), pinned notes, and notes not shown."""
    if note.kind == "rule":
        raise NoteError(f"{note.handle} is a rule", hint="decide about it in: twiceshy review")
    if note.pinned:
        raise NoteError(
            f"{note.handle} is pinned",
            hint=f"take the pin off first: twiceshy unpin {note.handle}",
        )
    if note.status not in SHOWN:
        raise NoteError(
            f"{note.handle} is {note.status} already", hint=f"see: twiceshy show {note.handle}"
        )


def check_removable(
    note: Note, cycle: Episode | None, *, day_of: Callable[[int], str]
) -> PendingRemoval:
    """Return the removal mark, or refuse if no earlier reflection marked the note.

    ``cycle`` is the project's last reflection; ``day_of`` returns the user's local day.
    """
    pending = parse_reason(note)
    if pending is None:
        raise NoteError(f"no reflection marked {note.handle} for removal", hint=_MARK_FIRST)
    if cycle is None or cycle.id == pending.cycle or cycle.ended_at <= pending.at:
        raise NoteError(
            f"{note.handle} was marked in the last reflection; only a later one may remove it",
            hint="run twiceshy reflect on another day, and confirm then",
        )
    if day_of(cycle.ended_at) <= day_of(pending.at):
        raise NoteError(
            f"{note.handle} was marked on {day_of(pending.at)}; sleep on it",
            hint="run twiceshy reflect on another day, and confirm then",
        )
    return pending


def is_needed_since(
    pending: PendingRemoval, history: Iterable[JournalEntry], shown: Iterable[Exposure]
) -> bool:
    """True if a note was learned, changed or shown again after it was marked."""
    if any(each.at > pending.at and not each.withheld for each in shown):
        return True
    return any(each.at > pending.at and _changes_content(each) for each in history)


def _changes_content(entry: JournalEntry) -> bool:
    if entry.op in (SEE, UNSEE):
        return entry.op == SEE
    return not _CONTENT_FIELDS.isdisjoint(entry.after or ())


def apply_answer(app: App, cycle: Episode, note: Note, answer: Answer) -> Note:
    """Apply an answer to a note, and record the answer in the reflection that asked."""
    with app.store.change():
        note = reread_note(app.store, note)
        asked = _require_question(cycle, note)
        done = _apply_to_note(app, cycle, note, answer)
        _record_answer(app, cycle, asked, answer_word(answer), revision=done.revision)
        return done


def remove_marked_note(
    app: App, note: Note, cycle: Episode | None, *, day_of: Callable[[int], str]
) -> Note:
    """Retire a note marked by an earlier reflection.

    The user has confirmed the removal, and can restore the note.
    """
    with app.store.change():
        note = reread_note(app.store, note)
        pending = check_removable(note, cycle, day_of=day_of)
        if _is_needed(app.store, note, pending):
            raise NoteError(
                f"{note.handle} was learned, changed or shown again after it was marked",
                hint=f"show it again: twiceshy restore {note.handle}",
            )
        covered = f"covered by {pending.rule}" if pending.rule else "confirmed"
        reason = f"removed: marked on {day_of(pending.at)}, {covered}"
        gone = change_note(app, REMOVE, note, status="retired", reason=reason)
        if cycle and (number := _find_question(cycle, note)) is not None:
            _record_answer(app, cycle, number, "removed", revision=gone.revision)
        return gone


def restore_needed(app: App, notes: Iterable[Note]) -> list[Note]:
    """Restore and return pending notes learned, changed or shown since they were marked."""
    with app.store.change():
        return [
            _restore_note(app, note)
            for note in notes
            if (pending := parse_reason(note)) and _is_needed(app.store, note, pending)
        ]


def _apply_to_note(app: App, cycle: Episode, note: Note, answer: Answer) -> Note:
    match answer:
        case Keep():
            return _restore_note(app, note) if note.status == PENDING else note
        case Shorten(text):
            return _shorten_note(app, note, text)
        case CoveredByRule(rule):
            return _mark_note(app, cycle, note, _get_active_rule(app.store, rule).handle)
        case Remove():
            return _mark_note(app, cycle, note, "")


def _shorten_note(app: App, note: Note, text: str) -> Note:
    if note.kind == "rule":
        raise NoteError(f"{note.handle} is a rule", hint="reword it with: twiceshy review --edit")
    if len(text) >= len(note.text):
        raise NoteError(
            f"that is no shorter: {len(text)} characters instead of {len(note.text)}",
            hint=f"to reword it: twiceshy edit {note.handle}",
        )
    return edit_fields(app, note, {"text": text})


def _mark_note(app: App, cycle: Episode, note: Note, rule: str) -> Note:
    check_markable(note)
    reason = render_reason(PendingRemoval(cycle.id, app.store.now(), rule))
    return change_note(app, MARK, note, status=PENDING, reason=reason)


def _restore_note(app: App, note: Note) -> Note:
    return change_note(app, SPARE, note, status="active", reason="")


def _get_active_rule(store: Store, name: str) -> Note:
    found = find_notes_by_name(store, name)
    rules = [note for note in found if (note.kind, note.status) == ("rule", "active")]
    if len(rules) != 1:
        hint = "see: twiceshy list --kind rule --all"
        raise NoteError(f"{name!r} is not an active rule", hint=hint)
    return rules[0]


def _is_needed(store: Store, note: Note, pending: PendingRemoval) -> bool:
    shown = store.list_exposures(note=note.id, limit=_MAX_EXPOSURES)
    return is_needed_since(pending, store.history(note.id), shown)


def _require_question(cycle: Episode, note: Note) -> int:
    """Return the index of the reflection's question about a note, or raise NoteError."""
    number = _find_question(cycle, note)
    if number is None:
        raise NoteError(
            f"the last reflection asked nothing about {note.handle}",
            hint="see what it asked: twiceshy reflect --show",
        )
    return number


def _find_question(cycle: Episode, note: Note) -> int | None:
    asked = [each.note for each in parse_decisions(cycle.requests)]
    return asked.index(note.id) if note.id in asked else None


def _record_answer(app: App, cycle: Episode, number: int, answer: str, *, revision: int) -> None:
    """Tick a candidate off in the report, and keep the answer for the next reflection."""
    known = replay_episode(app.store.history(cycle.id)) or cycle
    asked = parse_decisions(known.requests)
    asked[number] = asked[number].but(answer=answer, revision=revision)
    after = {
        "requests": tuple(each.to_line() for each in asked),
        "summary": tick_candidate(known.summary, number, answer),
    }
    before = {name: getattr(known, name) for name in after}
    if after != before:
        app.store.record_entry("edit", cycle.id, after, before=before)
