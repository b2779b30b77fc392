"""Claude Code's own memory folder: MEMORY.md, and a page per topic.

memory-engine keeps its notes in the same folders below ``~/.claude/projects``.
"""

import os
from collections.abc import Iterator, Mapping

from twiceshy.interop.imports import ImportContext, ImportPlace, OfferedItem
from twiceshy.interop.imports.files import list_file_names, list_folder_names
from twiceshy.interop.imports.read_format import read_file_items
from twiceshy.places.identity import Identity, claude_slug

NAME = "claude-code"
TITLE = "Claude Code's memory folder"
HUB, TASKS, HANDOFF = "MEMORY.md", "todo-status.md", "handoff-"


def find_places(around: ImportContext) -> list[ImportPlace]:
    """Return the pages of projects not kept by memory-engine."""
    return [
        place
        for folder, identity in list_memory_folders(around)
        if around.given or not is_kept_by_engine(folder, around)
        for place in list_page_places(folder, identity)
    ]


def read_place(place: ImportPlace, around: ImportContext) -> Iterator[OfferedItem]:
    """Yield the pages."""
    return read_file_items(place, around, root=os.path.dirname(place.path))


def find_claude_home(around: ImportContext) -> str:
    """Return Claude Code's user folder."""
    return around.relocated_path("CLAUDE_CONFIG_DIR", ".claude")


def find_projects_folder(environ: Mapping[str, str], home: str) -> str:
    """Return Claude Code's folder of projects."""
    own = environ.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude")
    return os.path.expanduser(environ.get("CLAUDE_PROJECTS_DIR") or os.path.join(own, "projects"))


def find_folders_of_slug(slug: str, below: str = os.sep) -> Iterator[str]:
    """Yield the folders of this machine that Claude Code calls by a name."""
    for name in list_folder_names(below, hidden=True):
        path = os.path.join(below, name)
        own = claude_slug(path)
        if own == slug:
            yield path
        elif slug.startswith(f"{own}-"):
            yield from find_folders_of_slug(slug, path)


def list_memory_folders(around: ImportContext) -> Iterator[tuple[str, Identity | None]]:
    """Yield each project's note folder, with its project if known."""
    if around.given:
        folder = os.path.abspath(around.given)
        inner = os.path.join(folder, "memory")
        folder = inner if os.path.isdir(inner) else folder
        yield folder, around.by_slug(os.path.basename(os.path.dirname(folder)))
        return
    projects = find_projects_folder(around.environ, around.home)
    for slug in list_folder_names(projects):
        folder = os.path.join(projects, slug, "memory")
        if list_file_names(folder, ".md"):
            yield folder, around.by_slug(slug)


def list_page_places(folder: str, identity: Identity | None) -> Iterator[ImportPlace]:
    """Yield the hub and its pages."""
    for name in list_file_names(folder, ".md"):
        if name != TASKS and not name.startswith(HANDOFF):
            form = "engine_hub" if name == HUB else "engine_spoke"
            yield build_place(folder, name, form, identity)


def build_place(folder: str, name: str, form: str, identity: Identity | None) -> ImportPlace:
    """Return a file in a project folder; nothing is imported while the project is unknown."""
    slug = os.path.basename(os.path.dirname(folder))
    unknown = f"unknown project {slug[:100]!r}: give its folder, and --project"
    problem = "" if identity else unknown
    return ImportPlace(os.path.join(folder, name), form, identity, problem=problem)


def is_kept_by_engine(folder: str, around: ImportContext) -> bool:
    """True if memory-engine keeps a folder; otherwise Claude Code's own."""
    names = list_file_names(folder, ".md")
    if TASKS in names or any(name.startswith(HANDOFF) for name in names):
        return True
    home = find_claude_home(around)
    index = os.path.join(home, "sessions", "project-index.md")
    return os.path.isdir(os.path.join(home, "skills", "learned")) or os.path.isfile(index)
