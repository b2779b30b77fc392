"""memory-keeper's folder per project: facts.json, three pages, log, sessions, archives.

Decisions, patterns and issues become facts, and three pages keep their names; a folder per
project stands in place of the project itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.retention import ARCHIVE, SAVED
from twiceshy.core.scope import EVERYWHERE
from twiceshy.interop.exports import ExportedContent, ExportedFile, list_ids, safe_component
from twiceshy.interop.formats import FileContext
from twiceshy.interop.formats.keeper_facts import KEEPER_FACTS
from twiceshy.interop.formats.keeper_sessions import (
    KEEPER_LOG,
    episodes_with_file,
    render_unmarked,
)
from twiceshy.interop.formats.pages import KEEPER_PAGE
from twiceshy.notes.pages import STABLE
from twiceshy.project.episodes.archive import (
    archive_month,
    render_archive,
    render_session_minute,
)
from twiceshy.project.facts.items import FACT_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from twiceshy.interop.originals import OriginalFile

FOLDER = ".claude/memory"
_SESSIONS = (*SAVED, "note")


def render_files(held: ExportedContent) -> Iterator[ExportedFile]:
    """Yield the folder of each project."""
    own = held.split_by_project()
    folders = _name_folders(held, own)
    for project, content in own.items():
        for file in _project_files(content, project):
            yield file.but(path=f"{folders[project]}/{FOLDER}/{file.path}")


def place_originals(
    held: ExportedContent, kept: Mapping[str, OriginalFile]
) -> dict[str, OriginalFile]:
    """Return kept files by their paths in the export: an id of a project becomes its folder."""
    folders = _name_folders(held, {file.project for file in kept.values()})
    placed = {}
    for path, file in kept.items():
        below = path.partition(f"/{FOLDER}/")[2]
        placed[f"{folders[file.project]}/{FOLDER}/{below}"] = file
    return placed


def _name_folders(held: ExportedContent, projects: Iterable[str]) -> dict[str, str]:
    """Return a unique folder name for each project, the same whichever of them are asked for."""
    folders: dict[str, str] = {}
    for project in sorted({*held.places, *projects}):
        called = "everywhere" if project == EVERYWHERE else held.find_project(project).name
        name = first = safe_component(called, otherwise="project")
        while name.casefold() in map(str.casefold, folders.values()):
            name = f"{first}-{len(folders) + 1}"
        folders[project] = name
    return folders


def _project_files(held: ExportedContent, project: str) -> Iterator[ExportedFile]:
    about = FileContext(project, now=held.now)
    facts = [note for note in held.notes if note.kind in FACT_KINDS]
    if facts:
        yield ExportedFile("facts.json", KEEPER_FACTS.render(facts, about), list_ids(facts))
    for page in held.notes:
        if page.kind == "page" and page.tag in STABLE:
            text = KEEPER_PAGE.render([page], about)
            yield ExportedFile(f"{page.tag}.md", text, (page.id,))
    logged = [one for one in held.episodes if one.kind in (*SAVED, ARCHIVE)]
    if log := KEEPER_LOG.render(logged, about):
        yield ExportedFile("memory.md", log)
    for one in episodes_with_file(held.episodes):
        if one.kind in _SESSIONS:
            name = render_session_minute(one.ended_at)
            own = [fact for fact in facts if fact.origin_session in (name, one.session)]
            yield ExportedFile(f"sessions/{name}.md", render_unmarked([one, *own], about))
    archives = [one for one in held.episodes if one.kind == ARCHIVE]
    for month in sorted({archive_month(one) for one in archives}):
        text = render_archive([one for one in archives if archive_month(one) == month])
        yield ExportedFile(f"sessions/archive/{month}.md", text)
