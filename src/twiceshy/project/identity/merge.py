"""Rename projects, merge two projects, or move notes to the right project.

Every operation is a normal change: it is in the journal, is synced, and a single ``undo`` takes it
back. Sessions and episodes of a project stay in place and are found through the link between the
two names.
"""

from __future__ import annotations

from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError
from twiceshy.core.filter import Filter
from twiceshy.core.history import SEE
from twiceshy.core.note import SHOWN
from twiceshy.core.project_link import GONE, OP, Link, link_id, replay_link
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.value import Value
from twiceshy.notes.write import as_it_is, change, supersede

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.store import Store

_AT_ONCE = 500


class Rehomed(Value):
    """Result of moving notes to a project, by note id.

    ``merged`` pairs each retired note with the older note that replaces it; ``renamed`` lists pages
    whose name was in use.
    """

    moved: tuple[str, ...] = ()
    merged: tuple[tuple[str, str], ...] = ()
    renamed: tuple[str, ...] = ()


def alias(app: App, project: str, names: Iterable[str]) -> list[str]:
    """Add alias names to a project; return the new names."""
    _refuse_everywhere(project, *names)
    known = app.store.same_project(project)
    new = [name for name in dict.fromkeys(names) if name not in known]
    with app.store.change():
        for name in new:
            link(app.store, name, project)
    return new


def link(store: Store, name: str, project: str) -> None:
    """Link a name to a project by a journal entry; an older link gives way."""
    said, object_id = Link(name, project), link_id(name)
    with store.change():
        known = replay_link(store.history(object_id))
        if known and known.but(alias=name) == said:
            store.settle([object_id])  # somebody may have met the name elsewhere since
            return
        before = known.fields() if known else {"status": GONE}
        store.record(OP, object_id, said.fields(), before=before)


def merge(app: App, source: str, into: str, *, called: str = "") -> Rehomed:
    """Merge a project into a second project and merge their duplicate notes.

    ``source_name`` is the name of the project that ends, for pages that exist in both.
    """
    _refuse_everywhere(source, into)
    old, own = app.store.same_project(source), app.store.same_project(into)
    if source == into:
        raise NoteError("a project cannot be merged into itself", hint="name two projects")
    with app.store.change():
        ids = (source,) if source in own else old
        rehomed = rehome(app, _standing(app.store, ids), into, called=called or source)
        if source not in own:
            link(app.store, source, into)
    return rehomed


def rehome(app: App, notes: Sequence[Note], into: str, *, called: str) -> Rehomed:
    """Move notes to a project; of each duplicate pair, keep the older note."""
    moved: list[str] = []
    merged: list[tuple[str, str]] = []
    renamed: list[str] = []
    with app.store.change():
        for note in (as_it_is(app.store, one) for one in notes):
            twin = _twin(app.store, note, into)
            if twin and note.kind == "page" and twin.text != note.text:
                _rename(app, note, into, called=called)
                renamed.append(note.id)
            elif twin:
                merged.append(_unite(app, note, twin, into))
            else:
                change(app, "move", note, project=into)
            moved.append(note.id)
    return Rehomed(tuple(moved), tuple(merged), tuple(renamed))


def _standing(store: Store, ids: Sequence[str]) -> list[Note]:
    """Return every note under some project ids, whatever its status, oldest first."""
    which = Filter(projects=tuple(ids), statuses=())
    found = store.notes(which, limit=max(_AT_ONCE, store.count(which)))
    return sorted(found, key=lambda note: (note.written_at, note.id))


def _twin(store: Store, note: Note, into: str) -> Note | None:
    """Return the note of the target project that duplicates a note."""
    if note.superseded_by:
        return None
    wanted = {name: getattr(note, name) for name in Draft.__fields__ if name != "scope"}
    draft = Draft.of({**wanted, "scope": note.scope.but(project=into)})
    twin = store.twin(draft)
    if twin is None or twin.id == note.id or twin.superseded_by:
        return None
    there = twin.scope == draft.scope and twin.fingerprint == draft.fingerprint
    return twin if there else None


def _unite(app: App, note: Note, twin: Note, into: str) -> tuple[str, str]:
    """Keep the older of two duplicates with both counts; return retired and kept id."""
    kept, gone = sorted((note, twin), key=_seniority)
    supersede(app, gone, by=kept)  # first, so that the words are free where they stand
    change(app, "move", note, project=into)
    counted = {"times": gone.sightings, "learned_at": gone.learned_at, "merged": gone.id}
    app.store.record(SEE, kept.id, counted)
    if kept.status != "active" and gone.status == "active":
        change(app, "restore", kept, status="active", reason="")
    if gone.pinned:
        change(app, "pin", kept, pinned=True)
    return gone.id, kept.id


def _seniority(note: Note) -> tuple[object, ...]:
    """Sort key of duplicates: an approved rule first, then the older note."""
    return note.kind == "rule" and note.status not in SHOWN, note.written_at, note.id


def _rename(app: App, note: Note, into: str, *, called: str) -> None:
    """Move a page under a name that includes its source project.

    No existing page is overwritten.
    """
    name = f"{note.tag} from {called}"
    tried = (name if number == 1 else f"{name} {number}" for number in range(1, 100))
    free = next(tag for tag in tried if not _twin(app.store, note.but(tag=tag), into))
    change(app, "move", note, project=into, tag=free)


def _refuse_everywhere(*projects: str) -> None:
    if EVERYWHERE in projects:
        raise NoteError(
            "every project is no project that could have another name",
            hint="a note that holds everywhere is moved with: twiceshy move ID --everywhere",
        )
