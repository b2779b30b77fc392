"""Gather the facts of an audit from the store, from files and from git; read-only."""

from __future__ import annotations

import os

from twiceshy.core.errors import NotFoundError
from twiceshy.core.filter import Filter
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.text import fingerprint
from twiceshy.core.value import Value
from twiceshy.notes.knowledge import lessons
from twiceshy.notes.naming import known_project, projects_seen
from twiceshy.notes.pages import is_stable
from twiceshy.notes.pages.condition import line_count
from twiceshy.places import project as projects
from twiceshy.places.git_state import state
from twiceshy.places.identity import Identity, slug
from twiceshy.places.skill_folders import Around, claude_home
from twiceshy.project.audit import gather_files as disk
from twiceshy.project.audit.facts import Drift, Facts, Hub, Page, Shelf
from twiceshy.project.audit.likeness import near_pairs
from twiceshy.project.pages.paging import hub_of, shown_pages

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.store import Finding as Looked
    from twiceshy.places.git_state import Checkout
    from twiceshy.project.audit.finding import Area, Depth

_EVERY = 1_000_000
_VIEWS = ("views.claude_skills", "views.shared_skills")
_OURS = "> Kept by twiceshy."
_BACKUP = "claude-memory"  # memory-engine's clone, in the folder of Claude Code
_FULL: Depth = "full"


class Scene(Value):
    """Audited project, its search path, and the store, if it exists."""

    here: Identity
    around: Around
    now: int
    app: App | None = None


class Others(Value):
    """Facts known to the caller: state of our hooks, number of runtimes, known verbs."""

    hooks: tuple[Looked, ...] = ()
    runtimes: int = 0
    verbs: frozenset[str] = frozenset()


def place(
    app: App | None, given: str | None, *, cwd: str, home: str, environ: Mapping[str, str]
) -> tuple[Identity, Around]:
    """Find the audited project by path, id or name; default the current project.

    Unlike elsewhere, the identity found with git is not cached: an audit writes nothing.
    """
    if given is None or os.path.isdir(os.path.join(cwd, given)):
        here = projects.identify(os.path.normpath(os.path.join(cwd, given or ".")), cache=None)
        return here, Around(here.root, here.root, home, environ)
    if app is None:
        raise NotFoundError(f"there is no project {given!r}", hint="nothing is kept yet")
    project = known_project(app, given, otherwise="or give a path")
    name, root = app.store.projects().get(project, ("", ""))
    root = root if os.path.isdir(root) else ""  # it may lie elsewhere by now, or on another device
    aliases = (f"slug:{slug(root)}",) if root else ()
    return Identity(project, name, root, aliases), Around(root, root, home, environ)


def gathered(scene: Scene, depth: Depth, areas: Collection[Area], others: Others) -> Facts:
    """Gather the facts for the checks of some areas at a depth."""
    facts = Facts(scene.now, verbs=others.verbs)
    if "memory" in areas or "project" in areas:
        facts = facts.but(shelves=tuple(_shelves(scene)))
    if "memory" in areas:
        facts = _with_notes(facts, scene, depth)
    if "commands" in areas:
        facts = facts.but(commands=tuple(disk.command_files(scene.around)))
        if depth == _FULL:
            facts = facts.but(skills=tuple(disk.skill_folders(scene.around)))
    if "hooks" in areas:
        dead = tuple(disk.dead_hooks(scene.around))
        facts = facts.but(hooks=others.hooks, dead_hooks=dead)
    if "project" in areas:
        facts = facts.but(instructions=tuple(disk.instructions(scene.around)))
    if "git" in areas and depth == _FULL:
        facts = facts.but(repositories=tuple(_repositories(scene.around)))
    return facts.but(counts=_counts(facts, scene, runtimes=others.runtimes))


def _shelves(scene: Scene) -> Iterator[Shelf]:
    if scene.app:
        yield _kept_shelf(scene.app, scene)
    yield from disk.native_shelves(scene.here, scene.around)


def _kept_shelf(app: App, scene: Scene) -> Shelf:
    notes = shown_pages(app, scene.here.id)
    names = [note.tag for note in notes]
    root, home = scene.around.root, scene.around.home

    def bases(note: Note) -> tuple[str, ...]:
        """Return the base folders for file links: empty for a global page."""
        return (root,) if root and note.scope.project != EVERYWHERE else ()

    pages = tuple(
        Page(
            note.tag,
            note.text,
            changed_at=max(note.learned_at, note.written_at),
            topic=not is_stable(note),
            shown=note.recalls,
            dead=disk.dead_links(note.text, bases(note), home, pages=names),
        )
        for note in notes
    )
    made = hub_of(app, scene.here.id)
    return Shelf(Hub("MEMORY.md", made.text, folded=made.folded), pages)


def _with_notes(facts: Facts, scene: Scene, depth: Depth) -> Facts:
    if scene.app is None:
        return facts
    which = Filter(projects=projects_seen(scene.app, scene.here.id))
    notes = tuple(scene.app.store.notes(which, limit=_EVERY))
    facts = facts.but(notes=notes)
    if depth == "quick":
        return facts
    facts = facts.but(near=tuple(near_pairs(notes)), without_vector=_without_vector(scene.app))
    return facts.but(drifts=tuple(_drifts(scene.app, notes))) if depth == _FULL else facts


def _without_vector(app: App) -> frozenset[str]:
    """Return the notes without a word-table vector; an audit calls no other model."""
    return frozenset(note.id for note in app.store.without_meaning(limit=_EVERY))


def _drifts(app: App, notes: Sequence[Note]) -> Iterator[Drift]:
    """Yield the generated KNOWLEDGE.md files that differ from the store."""
    for skill in app.store.skills():
        for folder in _VIEWS:
            path = os.path.join(app.config.text(folder), skill, "KNOWLEDGE.md")
            text = disk.read_text(path)
            if text is None or _OURS not in text:
                continue
            there = {fingerprint("lesson", lesson.text) for lesson in lessons(text)}
            kept = app.store.notes(Filter(skill=skill, statuses=()), limit=_EVERY)
            only_there = len(there - {fingerprint("lesson", note.text) for note in kept})
            shown = (n for n in notes if n.scope.skill == skill and n.status == "active")
            lacking = sum(fingerprint("lesson", note.text) not in there for note in shown)
            if only_there or lacking:
                yield Drift(path, skill, only_there, lacking)


def _repositories(around: Around) -> Iterator[Checkout]:
    roots = (around.root, os.path.join(claude_home(around), _BACKUP))
    found = [state(root) for root in roots if root and os.path.isdir(root)]
    yield from {each.root: each for each in found if each}.values()


def _counts(facts: Facts, scene: Scene, *, runtimes: int) -> dict[str, int]:
    generated = [shelf for shelf in facts.shelves if shelf.generated and shelf.hub]
    hub = generated[0].hub if generated else None
    found = {
        "notes": sum(note.kind != "page" for note in facts.notes),
        "pages": len(facts.pages),
        "hub_lines": line_count(hub.text) if hub else 0,
        "command_files": len(facts.commands),
        "runtimes": runtimes,
        "instruction_files": len(facts.instructions),
        "repositories": len(facts.repositories),
    }
    return found | (_of_store(scene.app, scene.here.id, facts) if scene.app else {})


def _of_store(app: App, project: str, facts: Facts) -> dict[str, int]:
    same = app.store.same_project(project)
    return {
        "sessions": len(app.store.sessions_of(Scope(project))),
        "diary": len(app.store.episodes(same, kinds=("diary",), limit=_EVERY)),
        "pitfalls": sum(note.subtype == "pitfall" for note in facts.notes),
        "skills": len({note.scope.skill for note in facts.notes} - {""}),
    }
