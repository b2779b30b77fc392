"""Inventory of a project: pages with sizes, and counts of other records."""

from __future__ import annotations

from twiceshy.core.filter import Filter
from twiceshy.core.moment import day
from twiceshy.notes.naming import projects_seen
from twiceshy.notes.pages import STABLE
from twiceshy.project.facts.file import FACTS
from twiceshy.project.pages.paging import last_sessions, page_facts, shown_pages
from twiceshy.project.tasks.tasks import tasks_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Any

    from twiceshy.app import App

_MANY = 100_000


def list_memory(app: App, project: str) -> dict[str, Any]:
    """Return the pages of a project, and count sessions, facts and tasks."""
    pages = [page_facts(page, app.store.now()) for page in shown_pages(app, project)]
    first: dict[str, dict[str, object]] = {}
    for one in pages:
        first.setdefault(str(one["name"]), one)
    sessions = last_sessions(app, project, limit=_MANY)
    tasks = tasks_of(app, project)
    places = projects_seen(app, project)
    stable = [
        {"name": name, "filled": name in first, **first.get(name, {"lines": 0, "bytes": 0})}
        for name in STABLE
    ]
    return {
        "stable": stable,
        "topics": [one for one in pages if one["name"] not in STABLE],
        "filled": sum(1 for one in stable if one["filled"]),
        "log": {
            "entries": len(sessions),
            "last": day(sessions[0].ended_at) if sessions else None,
        },
        "facts": {
            f"{kind}s": app.store.count(Filter(projects=places, kinds=(kind,))) for kind in FACTS
        },
        "tasks": {
            "open": sum(1 for task in tasks if task.state == "open"),
            "total": len(tasks),
        },
    }
