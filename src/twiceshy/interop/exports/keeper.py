"""memory-keeper's folder per project: facts.json, three pages, log, sessions, archives.

Decisions, patterns and issues become facts, and three pages keep their names; a folder per
project stands in place of the project itself.
"""

from collections.abc import Iterator

from twiceshy.core.retention import ARCHIVE, SAVED
from twiceshy.core.scope import EVERYWHERE
from twiceshy.interop.exports import ExportedContent, ExportedFile, list_ids, safe_component
from twiceshy.interop.formats import FileContext
from twiceshy.interop.formats.keeper_facts import KEEPER_FACTS
from twiceshy.interop.formats.keeper_sessions import (
    KEEPER_LOG,
    KEEPER_SESSION,
    episodes_with_file,
)
from twiceshy.interop.formats.pages import KEEPER_PAGE
from twiceshy.notes.pages import STABLE
from twiceshy.project.episodes.archive import (
    archive_month,
    render_archive,
    render_session_minute,
)
from twiceshy.project.facts.items import FACT_KINDS

_SESSIONS = (*SAVED, "note")


def render_files(held: ExportedContent) -> Iterator[ExportedFile]:
    """Yield the folder of each project."""
    taken: set[str] = set()
    for project, own in held.split_by_project().items():
        folder = _unique_name(held, project, taken)
        for file in _project_files(own, project):
            yield file.but(path=f"{folder}/.claude/memory/{file.path}")


def _unique_name(held: ExportedContent, project: str, taken: set[str]) -> str:
    """Return a unique project name."""
    called = "everywhere" if project == EVERYWHERE else held.find_project(project).name
    name = first = safe_component(called, otherwise="project")
    while name.casefold() in taken:
        name = f"{first}-{len(taken) + 1}"
    taken.add(name.casefold())
    return name


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
            # its facts stand in facts.json, and would be counted twice by who reads both
            name = render_session_minute(one.ended_at)
            yield ExportedFile(f"sessions/{name}.md", KEEPER_SESSION.render([one], about))
    archives = [one for one in held.episodes if one.kind == ARCHIVE]
    for month in sorted({archive_month(one) for one in archives}):
        text = render_archive([one for one in archives if archive_month(one) == month])
        yield ExportedFile(f"sessions/archive/{month}.md", text)
