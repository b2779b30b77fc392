"""memory-keeper's folder per project: facts.json, three pages, log, sessions, archives.

Decisions, patterns and issues become facts, and three pages keep their names; a folder per
project stands in place of the project itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.retention import ARCHIVE, SAVED
from twiceshy.core.scope import EVERYWHERE
from twiceshy.interop.exports import File, component, ids
from twiceshy.interop.formats import (
    About,
    joined,
    keeper_facts,
    keeper_log,
    keeper_page,
    keeper_session,
)
from twiceshy.notes.pages import STABLE
from twiceshy.project.episodes.archive import archive_page, month_of
from twiceshy.project.facts.file import FACTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.interop.exports import Held

_SESSIONS = (*SAVED, "note")


def files(held: Held) -> Iterator[File]:
    """Yield the folder of each project."""
    taken: set[str] = set()
    for project, own in held.by_project().items():
        folder = _name(held, project, taken)
        for file in _folder(own, project):
            yield file.but(path=f"{folder}/.claude/memory/{file.path}")


def _name(held: Held, project: str, taken: set[str]) -> str:
    """Return a unique project name."""
    called = "everywhere" if project == EVERYWHERE else held.place(project).name
    name = first = component(called, otherwise="project")
    while name.casefold() in taken:
        name = f"{first}-{len(taken) + 1}"
    taken.add(name.casefold())
    return name


def _folder(held: Held, project: str) -> Iterator[File]:
    about = About(project, now=held.now)
    facts = [note for note in held.notes if note.kind in FACTS]
    if facts:
        yield File("facts.json", joined(keeper_facts.items(facts, about)), ids(facts))
    for page in held.notes:
        if page.kind == "page" and page.tag in STABLE:
            text = joined(keeper_page.items([page], about))
            yield File(f"{page.tag}.md", text, (page.id,))
    logged = [one for one in held.episodes if one.kind in (*SAVED, ARCHIVE)]
    if log := joined(keeper_log.items(logged, about)):
        yield File("memory.md", log)
    for one in keeper_session.filed(held.episodes):
        if one.kind in _SESSIONS:
            # its facts stand in facts.json, and would be counted twice by who reads both
            name = keeper_session.minute(one.ended_at)
            yield File(f"sessions/{name}.md", joined(keeper_session.items([one], about)))
    archives = [one for one in held.episodes if one.kind == ARCHIVE]
    for month in sorted({month_of(one) for one in archives}):
        text = archive_page([one for one in archives if month_of(one) == month])
        yield File(f"sessions/archive/{month}.md", text)
