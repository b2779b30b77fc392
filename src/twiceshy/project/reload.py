"""Load the memory of a project or of a single topic; read-only."""

from __future__ import annotations

from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import DAY
from twiceshy.core.note import SHOWN
from twiceshy.core.value import Value
from twiceshy.notes.find_by_name import visible_projects
from twiceshy.notes.pages import page_name
from twiceshy.notes.pages.write import find_page
from twiceshy.project.pages.project_pages import build_project_hub, list_shown_pages
from twiceshy.project.tasks.project_tasks import list_project_tasks
from twiceshy.project.tasks.rules import list_open_tasks

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.project.pages.hub import HubPage

_MAX_PAGES = 3
_MAX_NOTES = 50


class ProjectContent(Value):
    """Overview of a project.

    ``changed`` counts the pages that changed within a day, shown or not.
    """

    hub: HubPage
    tasks: tuple[Note, ...]
    pages: tuple[Note, ...]
    changed: int


class TopicContent(Value):
    """Page and notes stored under a topic name."""

    page: Note | None
    notes: tuple[Note, ...]


def load_project(app: App, project: str) -> ProjectContent:
    """Return the hub, the open tasks, and the pages changed in the last 24 hours."""
    since = app.store.now() - DAY
    changed = [page for page in list_shown_pages(app, project) if page.learned_at > since]
    changed.sort(key=lambda page: (-page.learned_at, page.id))
    return ProjectContent(
        hub=build_project_hub(app, project),
        tasks=tuple(list_open_tasks(list_project_tasks(app, project))),
        pages=tuple(changed[:_MAX_PAGES]),
        changed=len(changed),
    )


def load_topic(app: App, name: str, project: str) -> TopicContent:
    """Return the page with a given name and the notes tagged with the name or concept."""
    places = visible_projects(app, project)
    page = find_page(app.store, places, page_name(name))
    which = NoteFilter(projects=places)
    found: dict[str, Note] = {}
    for each in (which.but(tag=name), which.but(concept=name.casefold())):
        for note in app.store.notes(each, limit=_MAX_NOTES):
            if note.kind != "page":
                found[note.id] = note
    return TopicContent(page if page and page.status in SHOWN else None, tuple(found.values()))
