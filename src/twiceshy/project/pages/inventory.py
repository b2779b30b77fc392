"""Inventory of a project: pages with sizes, and counts of other records."""

from __future__ import annotations

from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import format_day
from twiceshy.notes.find_by_name import visible_projects
from twiceshy.notes.pages import STABLE
from twiceshy.project.facts.summary import FACT_KINDS
from twiceshy.project.pages.project_pages import (
    describe_page,
    list_last_sessions,
    list_shown_pages,
)
from twiceshy.project.tasks.project_tasks import list_project_tasks

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Any

    from twiceshy.app import App

_MANY = 100_000


def list_memory(app: App, project: str) -> dict[str, Any]:
    """Return the pages of a project, and count sessions, facts and tasks."""
    pages = [describe_page(page, app.store.now()) for page in list_shown_pages(app, project)]
    first: dict[str, dict[str, object]] = {}
    for one in pages:
        first.setdefault(str(one["name"]), one)
    sessions = list_last_sessions(app, project, limit=_MANY)
    tasks = list_project_tasks(app, project)
    places = visible_projects(app, project)
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
            "last": format_day(sessions[0].ended_at) if sessions else None,
        },
        "facts": {
            f"{kind}s": app.store.count_notes(NoteFilter(projects=places, kinds=(kind,)))
            for kind in FACT_KINDS
        },
        "tasks": {
            "open": sum(1 for task in tasks if task.state == "open"),
            "total": len(tasks),
        },
    }
