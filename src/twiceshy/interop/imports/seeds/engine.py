"""memory-engine: sessions, lessons, rules, pages, tasks and handoffs below ``~/.claude``.

Session files name a project by a word; only a project of that name here gets them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from twiceshy.core import jsontext
from twiceshy.interop.formats.headed import headed
from twiceshy.interop.imports import Offered, Place
from twiceshy.interop.imports.claude_folders import (
    HANDOFF,
    TASKS,
    claude_home,
    is_engines,
    memory_folders,
    page_places,
    place_in,
)
from twiceshy.interop.imports.files import UnreadableError, is_file, names_in, text_of
from twiceshy.interop.imports.reading import about_file, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.interop.imports import Around
    from twiceshy.places.identity import Identity

NAME = "memory-engine"
TITLE = "memory-engine"
_SESSIONS = ("-session.md", "-compact.md", "-checkpoint.md")
_NOTEBOOK = "writing-review-list.md"
_PITFALL = "auto-pitfall-"
_READ = ".handoff-read.json"
_OF_WORK = ("engine_session", "engine_diary", "engine_reflect")


def places(around: Around) -> list[Place]:
    """Return its files: global, and per project folder."""
    there = _there(around)
    if there.given:
        return list(_of_projects(there))
    home = claude_home(there)
    return [*_learned(home), *_of_sessions(home), *_of_projects(there)]


def read(place: Place, around: Around) -> Iterator[Offered]:
    """Yield the content of a file, for the project named in it."""
    folder = os.path.dirname(place.path)
    text = text_of(place.path, within=folder)
    about = about_file(place)
    identity = place.identity
    if identity is None:
        tag = headed(text).facts.get("project", "")
        identity = around.called(tag)
        if identity is None and place.what in _OF_WORK:
            raise UnreadableError(f"its project {tag[:60]!r} is not known here")
        about = about.but(project=identity.id if identity else about.project)
    shown = place.what == "engine_handoff" and about.name in _shown(_there(around))
    for piece in read_text(text, place.what, about, around):
        yield piece.but(identity=identity, shown=shown)


def _there(around: Around) -> Around:
    """Return the context for a given ``.claude`` folder."""
    if not around.given or not os.path.isdir(os.path.join(around.given, "sessions")):
        return around
    moved = {"CLAUDE_CONFIG_DIR": around.given, "CLAUDE_PROJECTS_DIR": ""}
    return around.but(given="", environ={**around.environ, **moved})


def _learned(home: str) -> Iterator[Place]:
    folder = os.path.join(home, "skills", "learned")
    for name in names_in(folder, ".md"):
        form = "engine_pitfall" if name.startswith(_PITFALL) else "engine_learned"
        yield Place(os.path.join(folder, name), "engine_notebook" if name == _NOTEBOOK else form)


def _of_sessions(home: str) -> Iterator[Place]:
    sessions = os.path.join(home, "sessions")
    for name in names_in(sessions, ".md"):
        if name.endswith(_SESSIONS):
            yield Place(os.path.join(sessions, name), "engine_session")
        elif name.startswith("reflect-"):
            yield Place(os.path.join(sessions, name), "engine_reflect")
    diary = os.path.join(sessions, "diary")
    for name in names_in(diary, ".md"):
        yield Place(os.path.join(diary, name), "engine_diary")


def _of_projects(around: Around) -> Iterator[Place]:
    for folder, identity in memory_folders(around):
        if around.given or is_engines(folder, around):
            yield from page_places(folder, identity)
            yield from _work(folder, identity)


def _work(folder: str, identity: Identity | None) -> Iterator[Place]:
    for name in names_in(folder, ".md"):
        if name == TASKS:
            yield place_in(folder, name, "engine_todo", identity)
        elif name.startswith(HANDOFF):
            yield place_in(folder, name, "engine_handoff", identity)


def _shown(around: Around) -> list[object]:
    """Return names of told handoffs; empty if damaged."""
    path = os.path.join(claude_home(around), "sessions", _READ)
    try:
        names = jsontext.parse(text_of(path)) if is_file(path) else []
    except (ValueError, RecursionError, UnreadableError):
        return []
    return names if isinstance(names, list) else []
