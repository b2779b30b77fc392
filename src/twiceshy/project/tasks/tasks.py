"""Add tasks, list them by project, and suggest the next task."""

from __future__ import annotations

from twiceshy.core.draft import Draft, prepare
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.value import Value
from twiceshy.notes.edit import pin
from twiceshy.notes.naming import projects_seen
from twiceshy.notes.take_note import take_note
from twiceshy.notes.write import bounds_of, require_written
from twiceshy.project.tasks.rules import DONE, next_task
from twiceshy.project.tasks.write import finish, known_task, tasks_in

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.app import App
    from twiceshy.core.note import Note, Source
    from twiceshy.core.scope import Scope
    from twiceshy.project.tasks.rules import Item, NextTask

_WORK = ("end", "compact", "checkpoint", "handoff")


class AddedTask(Value):
    """Result of adding a task; ``known`` if the task was open already."""

    task: Note
    known: bool


class Group(Value):
    """Tasks of a project, under any of the project's ids."""

    project: str
    name: str
    tasks: tuple[Note, ...]


def add_tasks(
    app: App, items: Iterable[Item], *, scope: Scope, source: Source, first: bool = False
) -> list[AddedTask]:
    """Add tasks as a single change; ``first`` pins them before the rest."""
    with app.store.change():
        return [_added(app, item, scope=scope, source=source, first=first) for item in items]


def tasks_of(app: App, project: str | None) -> list[Note]:
    """Return the tasks of a project and the global tasks; of every project for None."""
    return tasks_in(app.store, None if project is None else projects_seen(app, project))


def by_project(app: App, tasks: Iterable[Note]) -> list[Group]:
    """Group tasks by project, sorted by name, global tasks last."""
    names = {known: name for known, (name, _) in app.store.projects().items()}
    groups: dict[tuple[str, ...], list[Note]] = {}
    for task in tasks:
        same = tuple(sorted(app.store.same_project(task.scope.project), reverse=True))
        groups.setdefault(same, []).append(task)
    found = [
        Group(same[0], next((names[one] for one in same if one in names), ""), tuple(own))
        for same, own in groups.items()
    ]
    return sorted(found, key=lambda one: (one.project == EVERYWHERE, one.name, one.project))


def suggested(app: App, tasks: Sequence[Note]) -> NextTask | None:
    """Suggest the next task from pins and the project worked on last."""
    projects = {task.scope.project for task in tasks if task.scope.project != EVERYWHERE}
    return next_task(tasks, worked={project: _last_work(app, project) for project in projects})


def _last_work(app: App, project: str) -> int:
    last = app.store.episodes(app.store.same_project(project), kinds=_WORK, limit=1)
    return last[0].ended_at if last else 0


def _added(app: App, item: Item, *, scope: Scope, source: Source, first: bool) -> AddedTask:
    asked = Draft(
        kind="task",
        text=item.text,
        scope=scope,
        source=source,
        state=item.state,
        pinned=first,
        origin_session=app.store.author,
    )
    draft = prepare(asked, app.redact, longest=bounds_of(app.config).longest)
    known = known_task(app.store, draft, app.store.same_project(scope.project))
    if known:
        known = pin(app, known) if first else known
        return AddedTask(finish(app, known) if item.state == DONE else known, known=True)
    return AddedTask(require_written(take_note(app, draft)).note, known=False)
