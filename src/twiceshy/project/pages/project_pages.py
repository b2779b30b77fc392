"""Write, find and list the pages of a project, build its hub, and load its memory."""

from __future__ import annotations

import os

from twiceshy.app import is_started_by_agent
from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError, NotFoundError, UnsafeNameError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import DAY, format_day
from twiceshy.core.note import SHOWN
from twiceshy.core.retention import SAVED
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.value import Value
from twiceshy.notes.find_by_name import visible_projects
from twiceshy.notes.pages import (
    STABLE,
    count_bytes,
    count_lines,
    describe_condition,
    is_hub,
    page_name,
)
from twiceshy.notes.pages.write import (
    PagePart,
    PageUpdate,
    find_page,
    list_pages,
    new_page_text,
    revise_page,
)
from twiceshy.notes.take_note import take_note
from twiceshy.notes.vouch import answer_as, vouch_for_changes
from twiceshy.notes.write import require_written
from twiceshy.project.facts.items import FACT_KINDS
from twiceshy.project.pages.hub import HubCounts, HubPage, build_hub
from twiceshy.project.tasks.project_tasks import list_project_tasks, list_tasks
from twiceshy.project.tasks.rules import list_open_tasks
from twiceshy.safety.names import check_relative_path
from twiceshy.wording import worded

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Any

    from twiceshy.app import App
    from twiceshy.core.evidence import Episode
    from twiceshy.core.note import Note, Source

_MAX_PREVIEW = 100
_MAX_HUB_SESSIONS = 5
_MAX_PAGES = 3
_MAX_NOTES = 50


class PageContent(Value):
    """Text to write to a page, with its source, section, files and concepts."""

    text: str
    source: Source
    part: PagePart = PagePart()
    files: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()


def set_page(app: App, name: str, content: PageContent, *, scope: Scope) -> PageUpdate:
    """Create or revise a page; its name means the same page in every directory."""
    name = _check_name(app, name)
    draft = Draft(
        kind="page",
        text=content.text,
        scope=scope,
        source=content.source,
        subtype=name if name in STABLE else "topic",
        tag=name,
        files=content.files,
        concepts=content.concepts,
        origin_session=app.store.author,
    )
    own = content.source == "user"
    with vouch_for_changes(app, by_person=own), app.store.change():
        known = find_page(app.store, app.store.list_project_ids(scope.project), name)
        if known is None:
            draft = draft.but(text=new_page_text(app, draft, content.part))
            return PageUpdate(require_written(take_note(app, draft)).note, None)
        if content.source == "agent":
            _refuse_danger(content.text, name)
        return revise_page(app, known, draft, content.part)


def get_page(app: App, name: str, project: str) -> Note:
    """Return the visible page with a name; NotFoundError lists the known pages."""
    found = find_page(app.store, visible_projects(app, project), page_name(name))
    if found is not None and found.status in ("active", "candidate"):
        return found
    if _is_held_back(app, name, project):
        hint = worded("decide about it: twiceshy review")
        raise NotFoundError(worded("page {name!r} is held back", name=name), hint=hint)
    names = ", ".join(page.tag for page in list_shown_pages(app, project))
    first = worded('write the first one: twiceshy memory-set project "…"')
    hint = worded("known: {names}", names=names) if names else first
    raise NotFoundError(worded("there is no page {name!r}", name=name), hint=hint)


def _is_held_back(app: App, name: str, project: str) -> bool:
    """True if a page waits for the person who asks for it; agents are not told that it is there."""
    if is_started_by_agent():
        return False
    with answer_as(app, agent=False):
        page = find_page(app.store, visible_projects(app, project), page_name(name))
    return page is not None and page.status in (*SHOWN, "quarantined")


def list_shown_pages(app: App, project: str) -> list[Note]:
    """Return the visible pages of a project, its own before global pages."""
    return list_pages(app.store, visible_projects(app, project))


def build_project_hub(app: App, project: str) -> HubPage:
    """Build the MEMORY.md of a project from the current store."""
    places = visible_projects(app, project)
    tasks = list_tasks(app.store, places)
    rules = NoteFilter(projects=places, kinds=("rule",), subtype="correction", state="current")
    around = HubCounts(
        open_tasks=sum(task.state == "open" for task in tasks),
        tasks=len(tasks),
        rules=app.store.count_notes(rules),
        facts=app.store.count_notes(NoteFilter(projects=places, kinds=FACT_KINDS)),
        episodes=tuple(list_last_sessions(app, project, limit=_MAX_HUB_SESSIONS)),
    )
    return build_hub(list_pages(app.store, places), around)


def list_last_sessions(app: App, project: str, *, limit: int | None) -> list[Episode]:
    """Return the episodes of the last sessions of a project."""
    own = app.store.list_project_ids(project)
    return app.store.list_episodes(own, kinds=SAVED, limit=limit)


def describe_page(page: Note, now: int) -> dict[str, object]:
    """Return the fields of a page for page lists."""
    return {
        "name": page.tag,
        "id": page.id,
        "everywhere": page.scope.project == EVERYWHERE,
        "lines": count_lines(page.text),
        "bytes": count_bytes(page.text),
        "condition": describe_condition(page, now),
        "revision": page.revision,
        "preview": fold_to_line(strip_unsafe(page.text), limit=_MAX_PREVIEW),
    }


def path_in_project(app: App, path: str) -> str:
    """Return a path relative to the project root."""
    whole = os.path.normpath(os.path.join(app.cwd, path))
    root = app.current_project().root or app.cwd
    return check_relative_path(os.path.relpath(whole, root).replace(os.sep, "/"))


def _check_name(app: App, text: str) -> str:
    name = page_name(text)
    if is_hub(name):
        raise NoteError(
            worded("MEMORY.md holds pointers only, and is made of the pages"),
            hint=worded("set a page instead: twiceshy memory-set TOPIC"),
        )
    if app.redact(name) != name:
        raise UnsafeNameError(
            worded("the name of the page holds a secret"), hint=worded("choose another name")
        )
    return name


def _refuse_danger(text: str, name: str) -> None:
    """Refuse dangerous text from an agent for a page that is already shown.

    On a new page the same text would wait for the user's review.
    """
    from twiceshy.safety.danger import find_danger  # noqa: PLC0415 - a user's own words need no look

    if reason := find_danger(text):
        raise NoteError(
            worded("the page {name!r} stays as it was: {reason}", name=name, reason=reason),
            hint=worded("set it yourself, in a terminal of your own"),
        )


def list_memory(app: App, project: str) -> dict[str, Any]:
    """Return the pages of a project, and count sessions, facts and tasks."""
    pages = [describe_page(page, app.store.now()) for page in list_shown_pages(app, project)]
    first = {one["name"]: one for one in reversed(pages)}
    sessions = list_last_sessions(app, project, limit=None)
    tasks = list_project_tasks(app, project)
    places = visible_projects(app, project)
    counts = {kind: NoteFilter(projects=places, kinds=(kind,)) for kind in FACT_KINDS}
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
        "facts": {f"{kind}s": app.store.count_notes(which) for kind, which in counts.items()},
        "tasks": {"open": sum(task.state == "open" for task in tasks), "total": len(tasks)},
    }


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
