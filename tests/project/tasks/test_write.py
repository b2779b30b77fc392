"""Tasks are finished and opened again, and the same one is not written down twice."""

import pytest
from tests.core.builders import a_draft
from tests.store.support import app_of, learn

from twiceshy.core.errors import NoteError
from twiceshy.core.scope import Scope
from twiceshy.notes.undo import undo_batch
from twiceshy.project.tasks.project_tasks import (
    find_same_task,
    finish_task,
    list_tasks,
    reopen_task,
)
from twiceshy.store.command_store import WholeStore

SHOP = Scope("shop", "")


def test_a_task_is_done_open_again_and_undo_takes_that_back(store: WholeStore) -> None:
    task = learn(store, "Write it", kind="task", scope=SHOP)

    done = finish_task(app_of(store), task)
    opened = reopen_task(app_of(store), done)
    undo_batch(app_of(store))

    assert (done.state, opened.state) == ("done", "open")
    assert [one.state for one in list_tasks(store, None)] == ["done"]


def test_only_a_task_is_done(store: WholeStore) -> None:
    note = learn(store, "A lesson", scope=SHOP)

    with pytest.raises(NoteError, match="is a lesson, not a task"):
        finish_task(app_of(store), note)


def test_an_open_task_is_known_and_one_that_is_done_may_come_up_again(store: WholeStore) -> None:
    again = a_draft("write  IT", kind="task", scope=SHOP)
    task = learn(store, "Write it", kind="task", scope=SHOP)

    known = find_same_task(store, again, ("shop",))
    elsewhere = find_same_task(store, again, ("blog",))
    finish_task(app_of(store), task)

    assert known == task
    assert elsewhere is None
    assert find_same_task(store, again, ("shop",)) is None
    assert find_same_task(store, again.but(state="done"), ("shop",))
