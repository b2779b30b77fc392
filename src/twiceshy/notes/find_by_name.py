"""Find notes, projects and skills by name."""

from collections.abc import Iterable, Mapping, Sequence

from twiceshy.app import App
from twiceshy.core.errors import NotFoundError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import Note
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.store import Store
from twiceshy.safety.names import check_name

_FEW = 5
_SHORTEST = 3  # characters of an id that may mean a note
_MOST = 20
_LONGEST = 60  # of a name that is compared with others
_LIST = "see: twiceshy list --all"


def find_only_note(app: App, name: str) -> Note:
    """Return the only note of a name in any project; errors list candidates."""
    return _require_single(find_notes_by_name(app.store, name), f"there is no note {name!r}", name)


def find_named_notes(app: App, names: Iterable[str]) -> list[Note]:
    """Return the note of each name, without repeats."""
    return [find_only_note(app, name) for name in dict.fromkeys(names)]


def find_note_here(app: App, name: str) -> Note:
    """Return the only note of a name in this project, or global."""
    mine = visible_projects(app, app.current_project().id)
    found = [note for note in find_notes_by_name(app.store, name) if note.scope.project in mine]
    return _require_single(found, f"there is no note {name!r} here", name)


def find_notes_by_name(store: Store, name: str) -> list[Note]:
    """Return notes matching an id, a handle or its ending, in id order."""
    exact = store.note(name)
    if exact:
        return [exact]
    # "n0w" is the end of an id, or "0w" with the letter that ids begin with
    for ending in dict.fromkeys((name.lower().removeprefix("n"), name.lower())):
        meant = NoteFilter(ending=ending, statuses=())
        if len(ending) >= _SHORTEST and (found := store.notes(meant, limit=_MOST)):
            return sorted(found, key=lambda note: note.id)
    return []


def find_known_project(app: App, given: str, *, otherwise: str = "") -> str:
    """Return the id of a known project by id or name.

    ``otherwise`` completes the hint.
    """
    if given in (EVERYWHERE, "everywhere"):
        return EVERYWHERE
    known = app.store.list_projects()
    same = app.store.list_project_ids(given)
    if given in known or len(same) > 1:
        return same[-1] if given not in known else given
    called = _list_called(app, given, known)
    if len(called) == 1:
        return called[0]
    if called:
        told = ", ".join(f"{each} {known[each][1]}".rstrip() for each in called)
        raise NotFoundError(
            f"{len(called)} projects are called {given!r}",
            hint=f"give the id or the folder of one: {told}",
        )
    names = ", ".join(sorted({name for name, _ in known.values()})) or "none yet"
    close = find_similar_name(given, [name for name, _ in known.values()])
    meant = f"did you mean {close!r}?" if close else ""
    hints = filter(None, (meant, f"known: {names}", otherwise))
    raise NotFoundError(f"there is no project {given!r}", hint="; ".join(hints))


def _list_called(app: App, given: str, known: Mapping[str, tuple[str, str]]) -> list[str]:
    """Return the projects of a name; of one with several ids, the id that has a folder."""
    called = [project for project, (name, _) in known.items() if name == given]
    called.sort(key=lambda project: not known[project][1])
    found: dict[str, str] = {}
    for project in called:
        found.setdefault(min(app.store.list_project_ids(project)), project)
    return list(found.values())


def find_similar_name(given: str, known: Iterable[str]) -> str:
    """Return the known name that was probably meant; empty if none is similar."""
    import difflib  # noqa: PLC0415 - few names are mistyped

    cased = {name.casefold(): name for name in known}
    close = difflib.get_close_matches(given.casefold()[:_LONGEST], cased, n=1)
    return cased[close[0]] if close else ""


def visible_projects(app: App, project: str) -> tuple[str, ...]:
    """Return the ids of visible notes of a project, the global id included."""
    return tuple(dict.fromkeys((*app.store.list_project_ids(project), EVERYWHERE)))


def find_known_skill(app: App, given: str) -> str:
    """Return a skill with notes; errors list such skills."""
    skill = check_name(given, what="skill")
    if not app.store.count_notes(NoteFilter(skill=skill, statuses=())):
        names = ", ".join(app.store.list_skills()) or "none yet"
        raise NotFoundError(f"nothing is kept for skill {skill!r}", hint=f"known: {names}")
    return skill


def list_handles(notes: Iterable[Note]) -> str:
    """List the handles of the first few notes."""
    found = [note.handle for note in notes]
    return " ".join(found[:_FEW]) + (f" and {len(found) - _FEW} more" if len(found) > _FEW else "")


def _require_single(found: Sequence[Note], missing: str, name: str) -> Note:
    if len(found) == 1:
        return found[0]
    if not found:
        raise NotFoundError(missing, hint=_LIST)
    shown = ", ".join(note.id for note in found[:_FEW])
    raise NotFoundError(f"{name!r} may be {len(found)} notes", hint=f"give more of: {shown}")
