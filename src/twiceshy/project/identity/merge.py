"""Give a project another name, make two projects one, or bring notes home that were learned elsewhere.

Everything is a change like any other: it is in the journal, travels with it, and one ``undo`` takes it
back. What stands beside the notes of a project, its sessions and episodes, stays where it is and is
seen through the link between the two names.
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
    """What became of notes that went to another project, by id.

    ``merged`` says which note counts for which older one; ``renamed`` are pages whose name was taken.
    """

    moved: tuple[str, ...] = ()
    merged: tuple[tuple[str, str], ...] = ()
    renamed: tuple[str, ...] = ()


def alias(app: App, project: str, names: Iterable[str]) -> list[str]:
    """Let a project go by other names, too; return those that are new."""
    _refuse_everywhere(project, *names)
    known = app.store.same_project(project)
    new = [name for name in dict.fromkeys(names) if name not in known]
    with app.store.change():
        for name in new:
            link(app.store, name, project)
    return new


def link(store: Store, name: str, project: str) -> None:
    """Give a project another name, as an entry of the journal; an older meaning gives way."""
    said, object_id = Link(name, project), link_id(name)
    with store.change():
        known = replay_link(store.history(object_id))
        if known and known.but(alias=name) == said:
            store.settle([object_id])  # somebody may have met the name elsewhere since
            return
        before = known.fields() if known else {"life": GONE}
        store.record(OP, object_id, said.fields(), before=before)


def merge(app: App, source: str, into: str, *, called: str = "") -> Rehomed:
    """Make two projects one: what either knows is known in both, and what both say is said once.

    ``called`` is the name of the one that ends, for pages that both have.
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
    """Move notes to a project; where it says the same already, the older of the two stays."""
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
    """Return every note under some ids, whatever its life, the oldest first."""
    which = Filter(projects=tuple(ids), lives=())
    found = store.notes(which, limit=max(_AT_ONCE, store.count(which)))
    return sorted(found, key=lambda note: (note.written_at, note.id))


def _twin(store: Store, note: Note, into: str) -> Note | None:
    """Return the note that stands in a project and keeps this one from standing there."""
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
    """Let the older of two stay, with all that was counted; return who counts for whom."""
    kept, gone = sorted((note, twin), key=_seniority)
    supersede(app, gone, by=kept)  # first, so that the words are free where they stand
    change(app, "move", note, project=into)
    counted = {"times": gone.sightings, "learned_at": gone.learned_at, "merged": gone.id}
    app.store.record(SEE, kept.id, counted)
    if kept.life != "active" and gone.life == "active":
        change(app, "restore", kept, life="active", reason="")
    if gone.pinned:
        change(app, "pin", kept, pinned=True)
    return gone.id, kept.id


def _seniority(note: Note) -> tuple[object, ...]:
    """Put first what stays: of two rules one that is followed, because it was approved; else the older."""
    return note.kind == "rule" and note.life not in SHOWN, note.written_at, note.id


def _rename(app: App, note: Note, into: str, *, called: str) -> None:
    """Move a page under a name that says where it comes from; nobody else's words are touched."""
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
