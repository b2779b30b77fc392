"""List projects with their names and counts; alias, merge and move them."""

from __future__ import annotations

import os

from twiceshy.app import identify
from twiceshy.core.errors import NotFoundError
from twiceshy.core.filter import Filter
from twiceshy.core.note import STATUSES
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.store import Alias, KnownProject
from twiceshy.core.value import Value
from twiceshy.notes.naming import known_project
from twiceshy.notes.user_changes import keep_approvals
from twiceshy.places.identity import canonical_path, dir_id, project_id_valid, slug
from twiceshy.project.identity import merge as curated

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.store import Standpoint
    from twiceshy.project.identity.merge import Rehomed

_STRENGTH = ("git", "remote", "dir")
_PATH, _SLUG = "path:", "slug:"
_SHORTEST = 6  # characters of a session's id that tell it from others


class Known(Value):
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


class Chosen(Value):
    """Selection of notes to move; an empty field selects everything."""

    since: int = 0
    session: str = ""
    skill: str | None = None


def projects_known(app: App) -> list[Known]:
    """Return every project once, with aliases, most recently seen first."""
    store = app.store
    seen = {each.project: each for each in store.standpoints() if each.project != EVERYWHERE}
    aliases, known = _names(app)
    found: list[Known] = []
    placed: set[str] = set()
    for project in seen:
        if project in placed:
            continue
        same = store.same_project(project)
        placed.update(same)
        main = _main(same, aliases, known)
        found.append(_known(main, same, known, [seen[one] for one in same if one in seen]))
    return sorted(found, key=lambda one: (-one.seen_at, one.name, one.id))


def project_known(app: App, project: str) -> Known:
    """Return the overview of a project by any of its ids."""
    same = app.store.same_project(project)
    return next((one for one in projects_known(app) if one.id in same), _nothing(project, same))


def alias(app: App, project: str, other: str) -> list[str]:
    """Add an alias to a project: a path, a Claude Code slug, or an id; return new names."""
    return curated.alias(app, project_known(app, project).id, _aliases(app, project, other))


def merge(app: App, source: str, into: str, *, plan: bool) -> Rehomed:
    """Merge two projects; ``plan`` makes the change and rolls it back."""
    store, old, new = app.store, project_known(app, source), project_known(app, into)
    ids = (source, into) if old.id == new.id else (old.id, new.id)
    with store.change(rehearsal=plan), keep_approvals(app, changing=("scope",)):
        return curated.merge(app, *ids, called=old.name or old.id)


def bring_home(app: App, source: str, into: str, which: Chosen, *, plan: bool) -> Rehomed:
    """Move selected notes from the wrong project; ``plan`` rolls the change back."""
    store, name = app.store, project_known(app, source).name
    with store.change(rehearsal=plan), keep_approvals(app, changing=("scope",)):
        notes = [note for note in _notes(app, source, which) if _meant(note, which)]
        home = project_known(app, into).id
        return curated.rehome(app, notes, home, called=name or source)


def _notes(app: App, source: str, which: Chosen) -> list[Note]:
    ids = app.store.same_project(source)
    asked = Filter(projects=ids, skill=which.skill, statuses=STATUSES, since=which.since)
    return app.store.notes(asked, limit=max(1, app.store.count(asked)))


def _meant(note: Note, which: Chosen) -> bool:
    if not which.session:
        return True
    if len(which.session) < _SHORTEST:
        return note.origin_session == which.session
    return note.origin_session.startswith(which.session)


def _names(app: App) -> tuple[dict[str, str], dict[str, KnownProject]]:
    aliases: dict[str, str] = {}
    known: dict[str, KnownProject] = {}
    for record in app.store.everything(only=(KnownProject, Alias)):
        if isinstance(record, Alias):
            aliases[record.alias] = record.project
        elif isinstance(record, KnownProject):
            known[record.id] = record
    return aliases, known


def _main(
    same: Iterable[str], aliases: Mapping[str, str], known: Mapping[str, KnownProject]
) -> str:
    """Return the canonical project id: not an alias, known to the store, strongest kind first."""
    ids = [one for one in same if project_id_valid(one) or one in known]
    return min(
        ids or same, key=lambda one: (one in aliases, one not in known, _weakness(one), one)
    )


def _weakness(project: str) -> int:
    kind = project.partition(":")[0]
    return _STRENGTH.index(kind) if kind in _STRENGTH else len(_STRENGTH)


def _known(
    main: str,
    same: Iterable[str],
    known: Mapping[str, KnownProject],
    seen: Iterable[Standpoint],
) -> Known:
    seen = list(seen)
    told = known.get(main)
    root = told.root if told else ""
    return Known(
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


def _nothing(project: str, same: Iterable[str]) -> Known:
    return _known(project, same, {}, ())


def _aliases(app: App, project: str, other: str) -> list[str]:
    """Return the alias names for a path, a slug or an id."""
    if project_id_valid(other) or other.startswith((_SLUG, _PATH)):
        return [other]
    if other[:1] == "-" or other[1:3] == "--":  # as Claude Code names its folders
        return [_SLUG + other]
    if os.sep not in other and "\\" not in other and not os.path.isdir(other):
        taken = known_project(app, other, otherwise="or give a path, a slug or an id")
        raise NotFoundError(
            f"{other!r} is a project by itself",
            hint=f"to make the two one: twiceshy project merge {taken} {project}",
        )
    return _of_path(app, project, os.path.expanduser(other))


def _of_path(app: App, project: str, path: str) -> list[str]:
    whole = os.path.join(app.cwd, path) if not _is_foreign(path) else path
    real = os.path.realpath(whole) if os.path.isdir(whole) else os.path.normpath(whole)
    found = identify(real, app.config).id if os.path.isdir(real) else dir_id(real)
    if not found.startswith("dir:") and found not in app.store.same_project(project):
        raise NotFoundError(
            f"{path} is a repository by itself",
            hint=f"to make the two one: twiceshy project merge {path} {project}",
        )
    return [dir_id(real), _PATH + canonical_path(real), _SLUG + slug(real)]


def _is_foreign(path: str) -> bool:
    """True if a path has Windows syntax, as reported by another device's session."""
    return path[1:3] == ":\\" or path.startswith("\\\\")
