"""memory-engine: sessions, lessons, rules, pages, tasks and handoffs below ``~/.claude``.

Session files name a project by a word, or not at all. A word that no project here has becomes a
project of that name; what names none is of the session whose id it has, or of every project.
``--project`` takes both.
"""

import os
from collections.abc import Iterator

from twiceshy.core import jsontext
from twiceshy.core.text import fold_to_line
from twiceshy.interop.formats.headed import parse_headed
from twiceshy.interop.imports import (
    LONGEST_NAME,
    ImportContext,
    ImportPlace,
    OfferedItem,
    claude_folders,
)
from twiceshy.interop.imports.files import (
    UnreadableError,
    list_file_names,
    list_folder_names,
    read_text_file,
)
from twiceshy.interop.imports.read_format import build_file_context, parse_items
from twiceshy.places.identity import Identity, claude_slug

NAME = "memory-engine"
TITLE = "memory-engine"
_SESSIONS = ("-session.md", "-compact.md", "-checkpoint.md")
_NOTEBOOK = "writing-review-list.md"
_PITFALL = "auto-pitfall-"
_READ = ".handoff-read.json"
# Files without items of their own: what they say is derived from others, or is read with them.
_STATE = ("project-index.md", _READ, ".checkpoint-state.json")
_NO_PROJECT = "general"  # how memory-engine calls work without a project
_DAY = len("2026-11-16-")  # at the beginning of the name of a session's file


def find_places(around: ImportContext) -> list[ImportPlace]:
    """Return its files: global, and per project folder."""
    there = _context_at(around)
    if there.given:
        return list(_project_places(there))
    home = claude_folders.find_claude_home(there)
    return [*_learned_places(home), *_session_places(home), *_project_places(there)]


def read_place(place: ImportPlace, around: ImportContext) -> Iterator[OfferedItem]:
    """Yield the content of a file, for the project named in it."""
    folder = os.path.dirname(place.path)
    if not place.what:
        return
    text = read_text_file(place.path, within=folder)
    about = build_file_context(place)
    identity = place.identity or _find_project(place, text, around)
    about = about.but(project=identity.id if identity else about.project)
    shown = place.what == "engine_handoff" and about.name in _shown_handoffs(_context_at(around))
    for piece in parse_items(text, place.what, about, around):
        yield piece.but(identity=identity, shown=shown, own=place.what == "engine_notebook")


def _find_project(place: ImportPlace, text: str, around: ImportContext) -> Identity | None:
    """Return the project that a file names, or its session's other files; None for every project."""
    if place.what == "engine_notebook":
        return None  # its rules are about the user's texts, wherever they are written
    tag = _read_tag(text) or _find_tag_beside(place.path)
    if around.named:
        return (around.find_project_named(tag) if tag else None) or around.here
    if not tag or (tag == _NO_PROJECT and not around.find_project_named(tag)):
        return None
    beside = None if around.find_project_named(tag) else _find_folder_project(tag, around)
    return around.project_by_name(NAME, tag, beside)


def _find_folder_project(tag: str, around: ImportContext) -> Identity | None:
    """Return the project of the only folder that ends in a name, which is the name of its project."""
    projects = claude_folders.find_projects_folder(around.environ, around.home)
    ending = f"-{claude_slug(tag)}"
    slugs = [slug for slug in list_folder_names(projects) if slug.endswith(ending)]
    known = {slug: around.by_slug(slug) for slug in slugs}
    found = {each.id: each for each in known.values() if each and each.name == tag}
    lost = [slug for slug, each in known.items() if each is None]
    if len(found) == 1:
        return next(iter(found.values()))
    unknown = _name_project(lost[0], around) if len(lost) == 1 and not found else None
    return unknown.but(name=fold_to_line(tag, limit=LONGEST_NAME)) if unknown else None


def _read_tag(text: str) -> str:
    return parse_headed(text).facts.get("project", "")


def _find_tag_beside(path: str) -> str:
    """Return the project that another file of the same session names: a checkpoint names none."""
    folder, name = os.path.split(path)
    session = name[_DAY:].rpartition("-")[0] if name.endswith(_SESSIONS) else ""
    beside = (
        other
        for other in (list_file_names(folder, ".md") if session else ())
        if other != name and other.endswith(_SESSIONS) and f"-{session}-" in other
    )
    tags = (_read_tag(read_text_file(os.path.join(folder, other))) for other in beside)
    return next(filter(None, tags), "")


def _context_at(around: ImportContext) -> ImportContext:
    """Return the context for a given ``.claude`` folder."""
    if not around.given or not os.path.isdir(os.path.join(around.given, "sessions")):
        return around
    moved = {"CLAUDE_CONFIG_DIR": around.given, "CLAUDE_PROJECTS_DIR": ""}
    return around.but(given="", environ={**around.environ, **moved})


def _learned_places(home: str) -> Iterator[ImportPlace]:
    folder = os.path.join(home, "skills", "learned")
    for name in list_file_names(folder, ".md"):
        form = "engine_pitfall" if name.startswith(_PITFALL) else "engine_learned"
        form = "engine_notebook" if name == _NOTEBOOK else form
        yield _build_place(home, "skills/learned", name, form)


def _session_places(home: str) -> Iterator[ImportPlace]:
    for name in list_file_names(os.path.join(home, "sessions")):
        if name.endswith(_SESSIONS):
            yield _build_place(home, "sessions", name, "engine_session")
        elif name.startswith("reflect-") and name.endswith(".md"):
            yield _build_place(home, "sessions", name, "engine_reflect")
        elif name in _STATE:
            yield _build_place(home, "sessions", name, "")
    for name in list_file_names(os.path.join(home, "sessions", "diary"), ".md"):
        yield _build_place(home, "sessions/diary", name, "engine_diary")


def _build_place(home: str, folder: str, name: str, form: str) -> ImportPlace:
    path = os.path.join(home, *folder.split("/"), name)
    return ImportPlace(path, form, original=f"{folder}/{name}")


def _project_places(around: ImportContext) -> Iterator[ImportPlace]:
    for folder, identity in claude_folders.list_memory_folders(around):
        if around.given or claude_folders.is_kept_by_engine(folder, around):
            slug = os.path.basename(os.path.dirname(folder))
            own = _name_project(slug, around, identity)
            places = (*claude_folders.list_page_places(folder, own), *_work_places(folder, own))
            for place in places:
                name = os.path.basename(place.path)
                yield place.but(original=f"projects/{slug}/memory/{name}")


def _name_project(
    slug: str, around: ImportContext, known: Identity | None = None
) -> Identity | None:
    """Return a project of the name of its folder, without the path to the user's home."""
    name = slug.removeprefix(f"{claude_slug(around.home)}-").strip("-")
    return around.here if around.named else around.project_by_name(NAME, name, known)


def _work_places(folder: str, identity: Identity | None) -> Iterator[ImportPlace]:
    for name in list_file_names(folder, ".md"):
        if name == claude_folders.TASKS:
            yield claude_folders.build_place(folder, name, "engine_todo", identity)
        elif name.startswith(claude_folders.HANDOFF):
            yield claude_folders.build_place(folder, name, "engine_handoff", identity)


def _shown_handoffs(around: ImportContext) -> list[object]:
    """Return names of told handoffs; empty if damaged."""
    path = os.path.join(claude_folders.find_claude_home(around), "sessions", _READ)
    try:
        names = jsontext.parse_json(read_text_file(path)) if os.path.isfile(path) else []
    except (ValueError, RecursionError, UnreadableError):
        return []
    return names if isinstance(names, list) else []
