"""Find, finish and reopen tasks; each change can be undone."""

from __future__ import annotations

from twiceshy.core.errors import NoteError
from twiceshy.core.filter import NoteFilter
from twiceshy.notes.write import change_note
from twiceshy.project.tasks.rules import DONE, OPEN

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.app import App
    from twiceshy.core.draft import Draft
    from twiceshy.core.note import Note
    from twiceshy.core.store import Store

_MAX_TASKS = 10_000


def list_tasks(store: Store, projects: Sequence[str] | None) -> list[Note]:
    """Return the open and done tasks of some projects, or of every project."""
    which = NoteFilter(projects=None if projects is None else tuple(projects), kinds=("task",))
    return store.notes(which, limit=_MAX_TASKS)


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
