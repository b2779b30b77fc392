"""Gather the facts of an audit from the store, from files and from git; read-only."""

from __future__ import annotations

import os

from twiceshy.core.errors import NotFoundError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.text import fingerprint_text
from twiceshy.core.value import Value
from twiceshy.notes.find_by_name import find_known_project, visible_projects
from twiceshy.notes.knowledge import parse_lessons
from twiceshy.notes.pages import count_lines, is_stable
from twiceshy.places import project as projects
from twiceshy.places.git import read_git_state
from twiceshy.places.identity import Identity, claude_slug
from twiceshy.places.joining import find_project
from twiceshy.places.skill_folders import SkillSearchPath, find_claude_home
from twiceshy.project.audit import gather_files as disk
from twiceshy.project.audit.facts import AuditFacts, HubFacts, PageCollection, PageFacts, ViewDrift
from twiceshy.project.audit.gather_contexts import gather_contexts
from twiceshy.project.audit.notes import find_near_pairs
from twiceshy.project.pages.project_pages import build_project_hub, list_shown_pages
from twiceshy.runtimes.command_table import PAIRS
from twiceshy.wording.verbs import VERBS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.store import HealthFinding as Looked
    from twiceshy.places.git import Checkout
    from twiceshy.project.audit.facts import Area

_VIEWS = ("views.claude_skills", "views.shared_skills")
_VIEW_MARK = "> Kept by twiceshy."
_BACKUP = "claude-memory"  # memory-engine's clone, in the folder of Claude Code


class AuditPlace(Value):
    """Audited project, its search path, and the store, if it exists."""

    project: Identity
    search_path: SkillSearchPath
    now: int
    app: App | None = None


def find_audited_project(
    app: App | None, given: str | None, *, cwd: str, home: str, environ: Mapping[str, str]
) -> tuple[Identity, SkillSearchPath]:
    """Find the audited project by path, id or name; default the current project.

    Unlike elsewhere, the identity found with git is not cached: an audit writes nothing.
    """
    if given is None or os.path.isdir(os.path.join(cwd, given)):
        place = os.path.normpath(os.path.join(cwd, given or "."))
        here = (
            projects.identify_project(place, cache=None)
            if app is None  # nothing is kept yet
            else find_project(
                place,
                app.store,
                memory=app.config.home,
                patience=projects.PATIENCE,
                keep=False,
            )
        )
        return here, SkillSearchPath(here.root, here.root, home, environ)
    if app is None:
        raise NotFoundError(f"there is no project {given!r}", hint="nothing is kept yet")
    project = find_known_project(app, given, otherwise="or give a path")
    name, root = app.store.list_projects().get(project, ("", ""))
    root = root if os.path.isdir(root) else ""  # it may lie elsewhere by now, or on another device
    aliases = (f"slug:{claude_slug(root)}",) if root else ()
    return Identity(project, name, root, aliases), SkillSearchPath(root, root, home, environ)


def gather_facts(
    audited: AuditPlace, areas: Collection[Area], *, hooks: tuple[Looked, ...], runtimes: int
) -> AuditFacts:
    """Gather the facts for the checks of some areas; the state of our hooks is given."""
    folders = audited.search_path
    facts = AuditFacts(audited.now, verbs=_list_verbs())
    if "memory" in areas or "project" in areas:
        facts = facts.but(page_collections=tuple(_gather_collections(audited)))
    if "memory" in areas and audited.app:
        facts = _add_notes(facts, audited, audited.app)
    if "commands" in areas:
        commands, skills = disk.read_command_files(folders), disk.read_skill_folders(folders)
        facts = facts.but(commands=tuple(commands), skills=tuple(skills))
    if "hooks" in areas:
        facts = facts.but(hooks=hooks, dead_hooks=tuple(disk.find_dead_hooks(folders)))
    if "project" in areas:
        facts = facts.but(instructions=tuple(disk.read_instructions(folders)))
    if "git" in areas:
        facts = facts.but(repositories=tuple(_read_repositories(folders)))
    return facts.but(counts=_count_facts(facts, audited, runtimes=runtimes))


def _list_verbs() -> frozenset[str]:
    """Return our verbs, in both languages."""
    pairs = ((pair.name, pair.chinese) for pair in PAIRS)
    return frozenset((*VERBS, *(name for pair in pairs for name in pair)))


def _gather_collections(audited: AuditPlace) -> Iterator[PageCollection]:
    if audited.app:
        yield _store_collection(audited.app, audited)
    yield from disk.read_native_collections(audited.project, audited.search_path)


def _store_collection(app: App, audited: AuditPlace) -> PageCollection:
    notes = list_shown_pages(app, audited.project.id)
    names = [note.tag for note in notes]
    root, home = audited.search_path.root, audited.search_path.home
    local = (root,) if root else ()
    pages = tuple(
        PageFacts(
            note.tag,
            note.text,
            changed_at=max(note.learned_at, note.written_at),
            note=note.id,
            is_topic=not is_stable(note),
            times_shown=note.recalls,
            # a global page has no base folder for file links
            dead=disk.find_dead_links(
                note.text, () if note.scope.project == EVERYWHERE else local, home, pages=names
            ),
        )
        for note in notes
    )
    if not pages:
        return PageCollection()
    made = build_project_hub(app, audited.project.id)
    return PageCollection(HubFacts("MEMORY.md", made.text, folded=made.folded), pages)


def _add_notes(facts: AuditFacts, audited: AuditPlace, app: App) -> AuditFacts:
    which = NoteFilter(projects=visible_projects(app, audited.project.id))
    notes = tuple(app.store.notes(which, limit=None))
    # without a vector of the word table; an audit calls no other model
    unembedded = frozenset(note.id for note in app.store.list_unembedded_notes(limit=None))
    near = find_near_pairs(notes, app.config.number("notes.near_duplicate"))
    return facts.but(
        notes=notes,
        near=tuple(near),
        contexts=gather_contexts(app, notes, audited.search_path.root),
        without_vector=unembedded,
        drifts=tuple(_find_drifts(app, notes)),
    )


def _find_drifts(app: App, notes: Sequence[Note]) -> Iterator[ViewDrift]:
    """Yield the generated KNOWLEDGE.md files that differ from the store."""
    for skill in app.store.list_skills():
        for folder in _VIEWS:
            path = os.path.join(app.config.text(folder), skill, "KNOWLEDGE.md")
            text = disk.read_text_file(path)
            if text is None or _VIEW_MARK not in text:
                continue
            there = {fingerprint_text("lesson", lesson.text) for lesson in parse_lessons(text)}
            kept = app.store.notes(NoteFilter(skill=skill, statuses=()), limit=None)
            only_there = len(there - {fingerprint_text("lesson", note.text) for note in kept})
            shown = (n for n in notes if n.scope.skill == skill and n.status == "active")
            lacking = sum(fingerprint_text("lesson", note.text) not in there for note in shown)
            if only_there or lacking:
                yield ViewDrift(path, skill, only_there, lacking)


def _read_repositories(search_path: SkillSearchPath) -> Iterator[Checkout]:
    roots = (search_path.root, os.path.join(find_claude_home(search_path), _BACKUP))
    found = [read_git_state(root) for root in roots if root and os.path.isdir(root)]
    yield from {each.root: each for each in found if each}.values()


def _count_facts(facts: AuditFacts, audited: AuditPlace, *, runtimes: int) -> dict[str, int]:
    generated = [
        collection
        for collection in facts.page_collections
        if collection.generated and collection.hub
    ]
    hub = generated[0].hub if generated else None
    found = {
        "notes": sum(_is_note(note) and not _is_for_all(note, audited) for note in facts.notes),
        "everywhere": sum(_is_note(note) and _is_for_all(note, audited) for note in facts.notes),
        "rules": sum((note.kind, note.status) == ("rule", "active") for note in facts.notes),
        "pages": len(facts.pages),
        "hub_lines": count_lines(hub.text) if hub else 0,
        "command_files": len(facts.commands),
        "runtimes": runtimes,
        "instruction_files": len(facts.instructions),
        "repositories": len(facts.repositories),
    }
    return found | _count_store(audited.app, audited.project.id, facts)


def _is_note(note: Note) -> bool:
    return note.kind not in ("page", "rule")


def _is_for_all(note: Note, audited: AuditPlace) -> bool:
    """True for a note of all projects; False where only these are audited."""
    return note.scope.project == EVERYWHERE != audited.project.id


def _count_store(app: App | None, project: str, facts: AuditFacts) -> dict[str, int]:
    same = app.store.list_project_ids(project) if app else ()
    diary = app.store.list_episodes(same, kinds=("diary",), limit=None) if app else ()
    return {
        "sessions": len(app.store.list_session_starts(Scope(project))) if app else 0,
        "diary": len(diary),
        "pitfalls": sum(note.subtype == "pitfall" for note in facts.notes),
        "skills": len({note.scope.skill for note in facts.notes} - {""}),
    }
