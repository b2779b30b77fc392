"""Load the memory of a project or of a single topic; read-only."""

from __future__ import annotations

from twiceshy.core.filter import Filter
from twiceshy.core.moment import DAY
from twiceshy.core.note import SHOWN
from twiceshy.core.value import Value
from twiceshy.notes.naming import projects_seen
from twiceshy.notes.pages import page_name
from twiceshy.notes.pages.write import page_called
from twiceshy.project.pages.paging import hub_of, shown_pages
from twiceshy.project.tasks.rules import open_tasks
from twiceshy.project.tasks.tasks import tasks_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.project.pages.hub import Hub

_MOST_PAGES = 3
_MOST_NOTES = 50


class Everything(Value):
    """Overview of a project.

    ``changed`` counts the pages that changed within a day, shown or not.
    """

    hub: Hub
    tasks: tuple[Note, ...]
    pages: tuple[Note, ...]
    changed: int


class Topic(Value):
    """Page and notes stored under a topic name."""

    page: Note | None
    notes: tuple[Note, ...]


def everything(app: App, project: str) -> Everything:
    """Return the hub, the open tasks, and the pages changed in the last 24 hours."""
    since = app.store.now() - DAY
    changed = [page for page in shown_pages(app, project) if page.learned_at > since]
    changed.sort(key=lambda page: (-page.learned_at, page.id))
    return Everything(
        hub=hub_of(app, project),
        tasks=tuple(open_tasks(tasks_of(app, project))),
        pages=tuple(changed[:_MOST_PAGES]),
        changed=len(changed),
    )


def topic(app: App, name: str, project: str) -> Topic:
    """Return the page with a given name and the notes tagged with the name or concept."""
    places = projects_seen(app, project)
    page = page_called(app.store, places, page_name(name))
    which = Filter(projects=places)
    found: dict[str, Note] = {}
    for each in (which.but(tag=name), which.but(concept=name.casefold())):
        for note in app.store.notes(each, limit=_MOST_NOTES):
            if note.kind != "page":
                found[note.id] = note
    return Topic(page if page and page.status in SHOWN else None, tuple(found.values()))
