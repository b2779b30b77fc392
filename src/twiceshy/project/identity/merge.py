"""Rename projects, merge two projects, or move notes to the right project.

Every operation is a normal change: it is in the journal, is synced, and a single ``undo`` takes it
back. Sessions and episodes of a project stay in place and are found through the link between the
two names.
"""

from __future__ import annotations

from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.history import SEE
from twiceshy.core.note import SHOWN
from twiceshy.core.project_link import GONE, OP, ProjectLink, link_id, replay_link
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.value import Value
from twiceshy.notes.write import change_note, reread_note, supersede_note

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.store import Store

_MIN_LIMIT = 500


class MoveResult(Value):
    """Result of moving notes to a project, by note id.

    ``merged`` pairs each retired note with the older note that replaces it; ``renamed`` lists pages
    whose name was in use.
    """

    moved: tuple[str, ...] = ()
    merged: tuple[tuple[str, str], ...] = ()
    renamed: tuple[str, ...] = ()


def add_aliases(app: App, project: str, names: Iterable[str]) -> list[str]:
    """Add alias names to a project; return the new names."""
    _refuse_everywhere(project, *names)
    known = app.store.list_project_ids(project)
    new = [name for name in dict.fromkeys(names) if name not in known]
    with app.store.change():
        for name in new:
            link_name(app.store, name, project)
    return new


def link_name(store: Store, name: str, project: str) -> None:
    """Link a name to a project by a journal entry; an older link gives way."""
    said, object_id = ProjectLink(name, project), link_id(name)
    with store.change():
        known = replay_link(store.history(object_id))
        if known and known.but(alias=name) == said:
            store.settle_objects([object_id])  # somebody may have met the name elsewhere since
            return
        before = known.fields() if known else {"status": GONE}
        store.record_entry(OP, object_id, said.fields(), before=before)


def merge_projects(app: App, source: str, into: str, *, source_name: str = "") -> MoveResult:
    """Merge a project into a second project and merge their duplicate notes.

    ``source_name`` is the name of the project that ends, for pages that exist in both.
    """
    _refuse_everywhere(source, into)
    old, own = app.store.list_project_ids(source), app.store.list_project_ids(into)
    if source == into:
        raise NoteError("a project cannot be merged into itself", hint="name two projects")
    with app.store.change():
        ids = (source,) if source in own else old
        rehomed = move_notes(
            app, _list_notes(app.store, ids), into, source_name=source_name or source
        )
        if source not in own:
            link_name(app.store, source, into)
    return rehomed


def move_notes(app: App, notes: Sequence[Note], into: str, *, source_name: str) -> MoveResult:
    """Move notes to a project; of each duplicate pair, keep the older note."""
    moved: list[str] = []
    merged: list[tuple[str, str]] = []
    renamed: list[str] = []
    with app.store.change():
        for note in (reread_note(app.store, one) for one in notes):
            twin = _find_duplicate(app.store, note, into)
            if twin and note.kind == "page" and twin.text != note.text:
                _move_renamed(app, note, into, source_name=source_name)
                renamed.append(note.id)
            elif twin:
                merged.append(_merge_duplicates(app, note, twin, into))
            else:
                change_note(app, "move", note, project=into)
            moved.append(note.id)
    return MoveResult(tuple(moved), tuple(merged), tuple(renamed))


def _list_notes(store: Store, ids: Sequence[str]) -> list[Note]:
    """Return every note under some project ids, whatever its status, oldest first."""
    which = NoteFilter(projects=tuple(ids), statuses=())
    found = store.notes(which, limit=max(_MIN_LIMIT, store.count_notes(which)))
    return sorted(found, key=lambda note: (note.written_at, note.id))


def _find_duplicate(store: Store, note: Note, into: str) -> Note | None:
    """Return the note of the target project that duplicates a note."""
    if note.superseded_by:
        return None
    wanted = {name: getattr(note, name) for name in Draft.__fields__ if name != "scope"}
    draft = Draft.of({**wanted, "scope": note.scope.but(project=into)})
    twin = store.find_duplicate(draft)
    if twin is None or twin.id == note.id or twin.superseded_by:
        return None
    there = twin.scope == draft.scope and twin.fingerprint == draft.fingerprint
    return twin if there else None


def _merge_duplicates(app: App, note: Note, duplicate: Note, into: str) -> tuple[str, str]:
    """Keep the older of two duplicates with both counts; return retired and kept id."""
    kept, gone = sorted((note, duplicate), key=_seniority_key)
    supersede_note(app, gone, by=kept)  # first, so that the words are free where they stand
    change_note(app, "move", note, project=into)
    counted = {"times": gone.sightings, "learned_at": gone.learned_at, "merged": gone.id}
    app.store.record_entry(SEE, kept.id, counted)
    if kept.status != "active" and gone.status == "active":
        change_note(app, "restore", kept, status="active", reason="")
    if gone.pinned:
        change_note(app, "pin", kept, pinned=True)
    return gone.id, kept.id


def _seniority_key(note: Note) -> tuple[object, ...]:
    """Sort key of duplicates: an approved rule first, then the older note."""
    return note.kind == "rule" and note.status not in SHOWN, note.written_at, note.id


def _move_renamed(app: App, note: Note, into: str, *, source_name: str) -> None:
    """Move a page under a name that includes its source project.

    No existing page is overwritten.
    """
    name = f"{note.tag} from {source_name}"
    tried = (name if number == 1 else f"{name} {number}" for number in range(1, 100))
    free = next(tag for tag in tried if not _find_duplicate(app.store, note.but(tag=tag), into))
    change_note(app, "move", note, project=into, tag=free)


def _refuse_everywhere(*projects: str) -> None:
    if EVERYWHERE in projects:
        raise NoteError(
            "every project is no project that could have another name",
            hint="a note that holds everywhere is moved with: twiceshy move ID --everywhere",
        )
