"""Undo the last change, or a given change; an undo can be undone."""

from __future__ import annotations

from twiceshy.app import is_started_by_agent
from twiceshy.core.errors import NotFoundError, StoreError
from twiceshy.core.evidence import Episode
from twiceshy.core.history import (
    FORGET,
    REBASE,
    REVISE,
    SEE,
    UNDO,
    UNSEE,
    WRITE,
    replay_episode,
    replay_note,
)
from twiceshy.core.note import SHOWN, Note, short_handle
from twiceshy.core.project_link import LINK, replay_link
from twiceshy.core.skill_usage import COUNTED, replay_counted_usage
from twiceshy.core.value import Value
from twiceshy.notes.conflict import SETTLED, settled_edits
from twiceshy.notes.imported_records import IMPORTED, is_taken_back, take_back_sidelines
from twiceshy.notes.person import require_person
from twiceshy.notes.review import ACCEPT, DECISIONS
from twiceshy.notes.user_changes import describe_for_person, keep_approvals, list_unapproved
from twiceshy.notes.write import is_held_back, require_person_to_show
from twiceshy.safety.signing import Signature

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from twiceshy.app import App
    from twiceshy.core.history import Fields, JournalEntry
    from twiceshy.core.store import Store

_EPISODE = "e"  # ids of episodes begin with it
_IMPORTED = "import:"  # how the session of an episode begins that another program kept
_HISTORY = "see: twiceshy history"
_PAGE = 500
IMPORT = "import"  # the operation that remembers what was here before an import
_WORDS = {"text", "why", "trigger", "tag"}
# the first character of an id → how its entries are replayed; other ids are notes
_REPLAYS: Mapping[str, Callable[[list[JournalEntry]], Value | None]] = {
    LINK: replay_link,
    COUNTED: replay_counted_usage,
    _EPISODE: replay_episode,
}


class UndoResult(Value):
    """Result of an undo: current notes, and fields changed since."""

    batch: str
    ops: tuple[str, ...]
    notes: tuple[Note, ...]
    kept: tuple[str, ...]


def undo_batch(app: App, batch: str | None = None, *, redo: bool = False) -> UndoResult:
    """Undo a change as a whole; by default, the newest not undone."""
    store = app.store
    with store.change() as own:
        batch = batch or _newest_batch(store, redo=redo)
        entries = store.history(batch=batch)
        if not entries:
            raise NotFoundError(f"no change is called {batch}", hint=_HISTORY)
        if any(entry.op == FORGET for entry in entries):
            raise StoreError(
                "forgetting cannot be undone: the text is erased", hint="write the note again"
            )
        held = _list_held_back(store, entries)
        kept = [field for entry in reversed(entries) for field in _take_back(store, entry)]
        if shown := [note for each in held if (note := store.note(each)) and note.status in SHOWN]:
            require_person_to_show(shown)
        gone = _imported_episodes(store, entries)
        store.drop_records(Episode, *gone)
        if not (kept or gone or store.history(batch=own)):
            raise NotFoundError("nothing of that change is left to undo", hint=_HISTORY)
        notes = (store.note(object_id) for object_id in dict.fromkeys(e.object for e in entries))
        return UndoResult(
            batch,
            tuple(dict.fromkeys(entry.op for entry in entries)),
            tuple(note for note in notes if note),
            tuple(kept),
        )


def _list_held_back(store: Store, entries: list[JournalEntry]) -> list[str]:
    """Return the quarantined notes of some entries: undoing shows none of them without a person."""
    notes = (store.note(object_id) for object_id in dict.fromkeys(e.object for e in entries))
    return [note.id for note in notes if note and is_held_back(store, note)]


def undo_change(app: App, change: str | None, *, redo: bool) -> tuple[UndoResult, list[Note]]:
    """Undo for the user; return also rules without approval."""
    batch = find_batch(app.store, change) if change else None
    with keep_approvals(app):
        undone = undo_batch(app, batch, redo=redo)
        _require_decider(app, undone)
        for note in undone.notes if ACCEPT in undone.ops else ():
            app.store.drop_records(Signature, note.id)
    return undone, list_unapproved(app, undone.notes)


def _require_decider(app: App, undone: UndoResult) -> None:
    """Let only a person take back a decision, and what an agent started only the agent's own changes."""
    about = [describe_for_person(note) for note in undone.notes]
    if not DECISIONS.isdisjoint(undone.ops):
        require_person("undo", about)
    author = app.store.author
    own = author and app.store.history(batch=undone.batch, author=author, limit=1)
    if is_started_by_agent() and not own:
        require_person("own", about)


def _imported_episodes(store: Store, entries: list[JournalEntry]) -> list[str]:
    """Return imported episodes, removed on undo and imported again next time."""
    written = [entry.object for entry in entries if entry.op == WRITE]
    found = [replay_episode(store.history(each)) for each in written if each.startswith(_EPISODE)]
    return [each.id for each in found if each and each.session.startswith(_IMPORTED)]


def find_batch(store: Store, name: str) -> str:
    """Return the batch of an id or its ending."""
    ending = name.removeprefix("b")
    for entry in _entries_backwards(store):
        if entry.batch == name or (len(ending) >= 3 and entry.batch.endswith(ending)):
            return entry.batch
    raise NotFoundError(f"no change is called {name!r}", hint=_HISTORY)


def _newest_batch(store: Store, *, redo: bool) -> str:
    """Find the newest undoable batch of this device."""
    cancelled: set[str] = set()
    for entry in _entries_backwards(store):
        elsewhere = entry.device != store.device
        if elsewhere or entry.id in cancelled or entry.op in (FORGET, REBASE):
            continue
        if _refers_back(entry):
            cancelled.add(entry.refers)
        if _takes_back(store, entry) == redo and _fields_now(store, entry):
            return entry.batch
    raise NotFoundError(f"there is nothing to {'redo' if redo else 'undo'}", hint=_HISTORY)


def _refers_back(entry: JournalEntry) -> bool:
    return entry.op in (UNDO, SEE, UNSEE) and bool(entry.refers)


def _takes_back(store: Store, entry: JournalEntry) -> bool:
    """True if an entry undoes a change."""
    if not _refers_back(entry):
        return False
    known = {one.id: one for one in store.history(entry.object)}
    before = known.get(entry.refers)
    return before is None or not _takes_back(store, before)


def _entries_backwards(store: Store) -> Iterator[JournalEntry]:
    before: int | None = None
    while page := store.history(limit=_PAGE, before=before):
        yield from reversed(page)
        before = page[0].clock


def _take_back(store: Store, entry: JournalEntry) -> Iterator[str]:
    """Record the opposite of an entry; yield fields changed in between."""
    if entry.object.startswith(IMPORTED):
        take_back_sidelines(store, entry)
    elif entry.op == IMPORT:
        yield from _take_back_import(store, entry)
    elif entry.op in (SEE, UNSEE):
        _take_back_sighting(store, entry)
    elif entry.op == WRITE:
        yield from _set_back(store, entry, _undo_fields(store, entry), {})
    else:
        yield from _set_back(store, entry, entry.before or {}, entry.after or {})


def _take_back_import(store: Store, entry: JournalEntry) -> Iterator[str]:
    """Set back what an import changed, but nothing that somebody changed since."""
    history = store.history(entry.object)
    later = [one for one in history if one.clock > entry.clock and one.device == store.device]
    reworded = any(one.op not in (UNDO, IMPORT) and _WORDS & set(one.after or ()) for one in later)
    wanted = entry.before or {}
    if reworded and wanted.get("status") == "retired":
        yield f"{short_handle(entry.object)} text"
        return
    # what came with a time in the future counts from its arrival
    arrived = {one.refers for one in history if one.op == REBASE and one.clock <= entry.clock}
    then = [one for one in history if one.clock <= entry.clock or one.id in arrived]
    yield from _set_back(store, entry, wanted, _replay_fields(entry.object, then))


def _replay_fields(object_id: str, history: list[JournalEntry]) -> dict[str, object]:
    """Return the fields of a note, link or count after some of its entries."""
    known = _REPLAYS.get(object_id[:1], replay_note)(history) if history else None
    fields = known.fields() if known else {}
    if isinstance(known, Note):
        fields |= {"project": known.scope.project, "skill": known.scope.skill}
    return fields


def _take_back_sighting(store: Store, entry: JournalEntry) -> None:
    history = [one for one in store.history(entry.object) if one.op in (SEE, UNSEE)]
    if store.note(entry.object) is None or any(one.refers == entry.id for one in history):
        return  # forgotten, or taken back already
    if entry.op == SEE:
        store.record_entry(UNSEE, entry.object, None, refers=entry.id)
        return
    again = next((one.after for one in history if one.id == entry.refers), None)
    store.record_entry(SEE, entry.object, again, refers=entry.id)


def _undo_fields(store: Store, entry: JournalEntry) -> Fields:
    """Return the fields of an unwritten note; the replaced note returns."""
    undone: dict[str, object] = {"status": "retired", "reason": "undone"}
    note = store.note(entry.object)
    old = store.note(note.supersedes) if note and note.supersedes else None
    if note and old and old.fingerprint == note.fingerprint and old.scope == note.scope:
        undone["superseded_by"] = old.id
    return undone


def _set_back(
    store: Store, entry: JournalEntry, wanted: Fields, expected: Fields
) -> Iterator[str]:
    now = _fields_now(store, entry)
    if not now:
        return
    due = {name: value for name, value in wanted.items() if now[name] != value}
    mine = {name: due[name] for name in due if now[name] == expected.get(name, now[name])}
    if mine:
        before = {name: now[name] for name in mine}
        store.record_entry(UNDO, entry.object, mine, before=before, refers=entry.id)
    called = now.get("alias") or now.get("program") or short_handle(entry.object)
    yield from (f"{called} {name}" for name in due if name not in mine)


def _fields_now(store: Store, entry: JournalEntry) -> dict[str, object]:
    """Return the current fields of a note, link or count; empty for others.

    Of an episode only edits by a person can be undone.
    """
    prefix, history = entry.object[:1], store.history(entry.object)
    if prefix == IMPORTED:
        return {} if is_taken_back(store, entry) else dict(entry.before or {})
    if replay := _REPLAYS.get(prefix):
        known = replay(history) if prefix != _EPISODE or entry.op in (REVISE, UNDO) else None
        return known.fields() if known else {}
    note = store.note(entry.object)
    if note is None:
        return {}
    scope = {"project": note.scope.project, "skill": note.scope.skill}
    return note.fields() | {SETTLED: settled_edits(history)} | scope
