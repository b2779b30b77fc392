"""List projects with their names and counts; alias, rename, merge and move them.

Every operation is a normal change: it is in the journal, is synced, and a single ``undo`` takes it
back. Sessions and episodes of a project stay in place and are found through the link between the
two names.
"""

import os
from collections.abc import Iterable, Mapping, Sequence

from twiceshy.app import App, identify_project
from twiceshy.core.errors import NoteError, NotFoundError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import SHOWN, STATUSES, Note
from twiceshy.core.project_link import GONE, OP, ProjectLink, link_id, replay_link
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.store import Alias, KnownProject, ProjectCounts, Store
from twiceshy.core.value import Value
from twiceshy.notes.edit import draft_of_note
from twiceshy.notes.find_by_name import find_known_project
from twiceshy.notes.user_changes import keep_approvals
from twiceshy.notes.write import (
    change_note,
    count_merged_note,
    is_held_back,
    reread_note,
    supersede_note,
)
from twiceshy.places.identity import canonical_path, claude_slug, directory_id, is_project_id

_STRENGTH = ("git", "remote", "dir")
_PATH, _SLUG = "path:", "slug:"
_MIN_SESSION_PREFIX = 6  # characters of a session's id that tell it from others


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


def merge_project_ids(app: App, source: str, into: str, *, source_name: str = "") -> MoveResult:
    """Merge a project into a second project and merge their duplicate notes.

    ``source_name`` is the name of the project that ends, for pages that exist in both.
    """
    _refuse_everywhere(source, into)
    old, own = app.store.list_project_ids(source), app.store.list_project_ids(into)
    if source == into:
        raise NoteError("a project cannot be merged into itself", hint="name two projects")
    with app.store.change():
        ids = (source,) if source in own else old
        notes = app.store.notes(NoteFilter(projects=ids, statuses=()), limit=None)
        notes.sort(key=lambda note: (note.written_at, note.id))
        rehomed = move_notes(app, notes, into, source_name=source_name or source)
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
            duplicate = _find_duplicate(app.store, note, into)
            if duplicate and note.kind == "page" and duplicate.text != note.text:
                _move_renamed(app, note, into, source_name=source_name)
                renamed.append(note.id)
            elif duplicate:
                merged.append(_merge_duplicates(app, note, duplicate, into))
            else:
                change_note(app, "move", note, project=into)
            moved.append(note.id)
    return MoveResult(tuple(moved), tuple(merged), tuple(renamed))


def _find_duplicate(store: Store, note: Note, into: str) -> Note | None:
    """Return the note of the target project that duplicates a note."""
    if note.superseded_by:
        return None
    draft = draft_of_note(note).but(scope=note.scope.but(project=into))
    duplicate = store.find_duplicate(draft)
    if duplicate is None or duplicate.id == note.id or duplicate.superseded_by:
        return None
    there = duplicate.scope == draft.scope and duplicate.fingerprint == draft.fingerprint
    return duplicate if there else None


def _merge_duplicates(app: App, note: Note, duplicate: Note, into: str) -> tuple[str, str]:
    """Keep the older of two duplicates with both counts; return retired and kept id."""
    kept, gone = sorted(
        (note, duplicate), key=lambda one: (is_held_back(app.store, one), _seniority_key(one))
    )
    supersede_note(app, gone, by=kept)  # first, so that the words are free where they stand
    change_note(app, "move", note, project=into)
    count_merged_note(app, kept, gone)
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
            "* means every project; it cannot be renamed, merged or given another name",
            hint="a note that holds everywhere is moved with: twiceshy move ID --everywhere",
        )


class ProjectOverview(Value):
    """Project with every name; ``gone`` is true if the folder no longer exists."""

    id: str
    name: str
    root: str
    gone: bool
    aliases: tuple[str, ...]
    notes: int
    sessions: int
    episodes: int
    seen_at: int


class ProjectChoice(Value):
    """Selection of notes to move; an empty field selects everything."""

    since: int = 0
    session: str = ""
    skill: str | None = None


def list_projects(app: App) -> list[ProjectOverview]:
    """Return every project once, with aliases, most recently seen first."""
    store = app.store
    seen = {each.project: each for each in store.list_project_counts()}
    seen.pop(EVERYWHERE, None)
    aliases, known = _read_names(app)
    found: dict[str, ProjectOverview] = {}
    for same in map(store.list_project_ids, seen):
        main = _choose_main_id(same, aliases, known)
        counts = [seen[one] for one in same if one in seen]
        found.setdefault(main, _build_overview(main, same, known, counts))
    return sorted(found.values(), key=lambda one: (-one.seen_at, one.name, one.id))


def describe_project(app: App, project: str) -> ProjectOverview:
    """Return the overview of a project by any of its ids."""
    same = app.store.list_project_ids(project)
    found = (one for one in list_projects(app) if one.id in same)
    return next(found, _build_overview(project, same, {}, ()))


def add_alias(app: App, project: str, other: str) -> list[str]:
    """Add an alias to a project: a path, a Claude Code slug, or an id; return new names."""
    return add_aliases(app, describe_project(app, project).id, _parse_alias(app, project, other))


def merge_projects(app: App, source: str, into: str, *, plan: bool) -> MoveResult:
    """Merge two projects; ``plan`` makes the change and rolls it back."""
    store, old, new = app.store, describe_project(app, source), describe_project(app, into)
    ids = (source, into) if old.id == new.id else (old.id, new.id)
    with store.change(rehearsal=plan), keep_approvals(app, changing=("scope",)):
        return merge_project_ids(app, *ids, source_name=old.name or old.id)


def move_chosen_notes(
    app: App, source: str, into: str, which: ProjectChoice, *, plan: bool
) -> MoveResult:
    """Move selected notes from the wrong project; ``plan`` rolls the change back."""
    store, name = app.store, describe_project(app, source).name
    with store.change(rehearsal=plan), keep_approvals(app, changing=("scope",)):
        ids = store.list_project_ids(source)
        asked = NoteFilter(projects=ids, skill=which.skill, statuses=STATUSES, since=which.since)
        notes = [note for note in store.notes(asked, limit=None) if _is_chosen(note, which)]
        home = describe_project(app, into).id
        return move_notes(app, notes, home, source_name=name or source)


def _is_chosen(note: Note, which: ProjectChoice) -> bool:
    if not which.session:
        return True
    if len(which.session) < _MIN_SESSION_PREFIX:
        return note.origin_session == which.session
    return note.origin_session.startswith(which.session)


def _read_names(app: App) -> tuple[dict[str, str], dict[str, KnownProject]]:
    aliases: dict[str, str] = {}
    known: dict[str, KnownProject] = {}
    for record in app.store.export_records(only=(KnownProject, Alias)):
        if isinstance(record, Alias):
            aliases[record.alias] = record.project
        elif isinstance(record, KnownProject):
            known[record.id] = record
    return aliases, known


def _choose_main_id(
    same: Iterable[str], aliases: Mapping[str, str], known: Mapping[str, KnownProject]
) -> str:
    """Return the canonical project id: not an alias, known to the store, strongest kind first."""
    ids = [one for one in same if is_project_id(one) or one in known]
    return min(
        ids or same, key=lambda one: (one in aliases, one not in known, _strength_rank(one), one)
    )


def _strength_rank(project: str) -> int:
    kind = project.partition(":")[0]
    return _STRENGTH.index(kind) if kind in _STRENGTH else len(_STRENGTH)


def _build_overview(
    main: str,
    same: Iterable[str],
    known: Mapping[str, KnownProject],
    seen: Sequence[ProjectCounts],
) -> ProjectOverview:
    told = known.get(main)
    root = told.root if told else ""
    return ProjectOverview(
        main,
        name=told.name if told else "",
        root=root,
        gone=bool(root) and not os.path.isdir(root),
        aliases=tuple(sorted(one for one in same if one != main)),
        notes=sum(one.notes for one in seen),
        sessions=sum(one.sessions for one in seen),
        episodes=sum(one.episodes for one in seen),
        seen_at=max((one.seen_at for one in seen), default=0),
    )


def _parse_alias(app: App, project: str, other: str) -> list[str]:
    """Return the alias names for a path, a slug or an id."""
    if is_project_id(other) or other.startswith((_SLUG, _PATH)):
        return [other]
    if other[:1] == "-" or other[1:3] == "--":  # as Claude Code names its folders
        return [_SLUG + other]
    if os.sep not in other and "\\" not in other and not os.path.isdir(other):
        taken = find_known_project(app, other, otherwise="or give a path, a slug or an id")
        raise NotFoundError(
            f"{other!r} is a separate project",
            hint=f"to merge the two: twiceshy project merge {taken} {project}",
        )
    return _aliases_of_path(app, project, os.path.expanduser(other))


def _aliases_of_path(app: App, project: str, path: str) -> list[str]:
    whole = os.path.join(app.cwd, path) if not _is_foreign_path(path) else path
    real = os.path.realpath(whole) if os.path.isdir(whole) else os.path.normpath(whole)
    found = identify_project(real, app).id if os.path.isdir(real) else directory_id(real)
    if not found.startswith("dir:") and found not in app.store.list_project_ids(project):
        raise NotFoundError(
            f"{path} is a separate repository",
            hint=f"to merge the two: twiceshy project merge {path} {project}",
        )
    return [directory_id(real), _PATH + canonical_path(real), _SLUG + claude_slug(real)]


def _is_foreign_path(path: str) -> bool:
    """True if a path has Windows syntax, as reported by another device's session."""
    return path[1:3] == ":\\" or path.startswith("\\\\")
