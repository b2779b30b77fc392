"""memory-engine: sessions, lessons, rules, pages, tasks and handoffs below ``~/.claude``.

Session files name a project by a word; only a project of that name here gets them.
"""

import os
from collections.abc import Iterator

from twiceshy.core import jsontext
from twiceshy.interop.formats.headed import parse_headed
from twiceshy.interop.imports import ImportContext, ImportPlace, OfferedItem, claude_folders
from twiceshy.interop.imports.files import (
    UnreadableError,
    list_file_names,
    read_text_file,
)
from twiceshy.interop.imports.read_format import build_file_context, parse_items
from twiceshy.places.identity import Identity

NAME = "memory-engine"
TITLE = "memory-engine"
_SESSIONS = ("-session.md", "-compact.md", "-checkpoint.md")
_NOTEBOOK = "writing-review-list.md"
_PITFALL = "auto-pitfall-"
_READ = ".handoff-read.json"
_OF_WORK = ("engine_session", "engine_diary", "engine_reflect")


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
    text = read_text_file(place.path, within=folder)
    about = build_file_context(place)
    identity = place.identity
    if identity is None:
        tag = parse_headed(text).facts.get("project", "")
        identity = around.find_project_named(tag)
        if identity is None and place.what in _OF_WORK:
            raise UnreadableError(f"its project {tag[:60]!r} is not known here")
        about = about.but(project=identity.id if identity else about.project)
    shown = place.what == "engine_handoff" and about.name in _shown_handoffs(_context_at(around))
    for piece in parse_items(text, place.what, about, around):
        yield piece.but(identity=identity, shown=shown)


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
        yield ImportPlace(os.path.join(folder, name), form)


def _session_places(home: str) -> Iterator[ImportPlace]:
    sessions = os.path.join(home, "sessions")
    for name in list_file_names(sessions, ".md"):
        if name.endswith(_SESSIONS):
            yield ImportPlace(os.path.join(sessions, name), "engine_session")
        elif name.startswith("reflect-"):
            yield ImportPlace(os.path.join(sessions, name), "engine_reflect")
    diary = os.path.join(sessions, "diary")
    for name in list_file_names(diary, ".md"):
        yield ImportPlace(os.path.join(diary, name), "engine_diary")


def _project_places(around: ImportContext) -> Iterator[ImportPlace]:
    for folder, identity in claude_folders.list_memory_folders(around):
        if around.given or claude_folders.is_kept_by_engine(folder, around):
            yield from claude_folders.list_page_places(folder, identity)
            yield from _work_places(folder, identity)


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
