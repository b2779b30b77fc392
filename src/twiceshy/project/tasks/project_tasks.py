"""Add, find, finish and list the tasks of projects, and suggest the next task."""

from __future__ import annotations

from twiceshy.core.draft import Draft, prepare
from twiceshy.core.errors import NoteError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.grouping import group_by
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.value import Value
from twiceshy.notes.edit import pin_note
from twiceshy.notes.find_by_name import visible_projects
from twiceshy.notes.take_note import take_note
from twiceshy.notes.write import change_note, note_limits_of, require_written
from twiceshy.project.tasks.rules import DONE, OPEN, ListedTask, NextTask, choose_next_task

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.app import App
    from twiceshy.core.note import Note, Source
    from twiceshy.core.store import Store

_WORK_KINDS = ("end", "compact", "checkpoint", "handoff")


def list_tasks(store: Store, projects: Sequence[str] | None) -> list[Note]:
    """Return the open and done tasks of some projects, or of every project."""
    which = NoteFilter(projects=None if projects is None else tuple(projects), kinds=("task",))
    return store.notes(which, limit=None)


def find_same_task(store: Store, draft: Draft, projects: Sequence[str]) -> Note | None:
    """Find a task with the same text: an open task, or any if the draft is done.

    A task that is done can be added again.
    """
    same = [task for task in list_tasks(store, projects) if task.fingerprint == draft.fingerprint]
    same.sort(key=lambda task: task.state != OPEN)
    return next((task for task in same if task.state == OPEN or draft.state == DONE), None)


def finish_task(app: App, task: Note) -> Note:
    """Mark a task as done."""
    return _set_state(app, task, DONE)


def reopen_task(app: App, task: Note) -> Note:
    """Mark a task as open."""
    return _set_state(app, task, OPEN)


def _set_state(app: App, task: Note, state: str) -> Note:
    if task.kind != "task":
        raise NoteError(
            f"{task.handle} is a {task.kind}, not a task", hint="see: twiceshy todo --all"
        )
    return change_note(app, "edit", task, state=state)


class AddedTask(Value):
    """Result of adding a task; ``known`` if the task was open already."""

    task: Note
    known: bool


class TaskGroup(Value):
    """Tasks of a project, under any of the project's ids."""

    project: str
    name: str
    tasks: tuple[Note, ...]


def add_tasks(
    app: App, items: Iterable[ListedTask], *, scope: Scope, source: Source, first: bool = False
) -> list[AddedTask]:
    """Add tasks as a single change; ``first`` pins them before the rest."""
    with app.store.change():
        return [_add_task(app, item, scope=scope, source=source, first=first) for item in items]


def list_project_tasks(app: App, project: str | None) -> list[Note]:
    """Return the tasks of a project and the global tasks; of every project for None."""
    return list_tasks(app.store, None if project is None else visible_projects(app, project))


def group_by_project(app: App, tasks: Iterable[Note]) -> list[TaskGroup]:
    """Group tasks by project, sorted by name, global tasks last."""
    names = {known: name for known, (name, _) in app.store.list_projects().items()}

    def list_ids(task: Note) -> tuple[str, ...]:
        return tuple(sorted(app.store.list_project_ids(task.scope.project), reverse=True))

    groups = group_by(tasks, list_ids)
    found = [
        TaskGroup(same[0], next((names[one] for one in same if one in names), ""), tuple(own))
        for same, own in groups.items()
    ]
    return sorted(found, key=lambda one: (one.project == EVERYWHERE, one.name, one.project))


def suggest_task(app: App, tasks: Sequence[Note]) -> NextTask | None:
    """Suggest the next task from pins and the project worked on last."""
    projects = {task.scope.project for task in tasks} - {EVERYWHERE}
    last_worked = {project: _find_last_work(app, project) for project in projects}
    return choose_next_task(tasks, last_worked=last_worked)


def _find_last_work(app: App, project: str) -> int:
    last = app.store.list_episodes(app.store.list_project_ids(project), kinds=_WORK_KINDS, limit=1)
    return last[0].ended_at if last else 0


def _add_task(
    app: App, item: ListedTask, *, scope: Scope, source: Source, first: bool
) -> AddedTask:
    asked = Draft("task", item.text, scope, source, state=item.state, pinned=first)
    asked = asked.but(origin_session=app.store.author)
    draft = prepare(asked, app.gate_of(scope.project), longest=note_limits_of(app.config).longest)
    known = find_same_task(app.store, draft, app.store.list_project_ids(scope.project))
    if known:
        known = pin_note(app, known) if first else known
        return AddedTask(finish_task(app, known) if item.state == DONE else known, known=True)
    return AddedTask(require_written(take_note(app, draft)).note, known=False)
