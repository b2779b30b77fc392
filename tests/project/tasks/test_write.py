"""Tasks are finished and opened again, and the same one is not written down twice."""

import pytest
from tests.core.builders import a_draft
from tests.store.support import app_of, learn

from twiceshy.core.errors import NoteError
from twiceshy.core.scope import Scope
from twiceshy.notes.undo import undo
from twiceshy.project.tasks.write import finish, known_task, reopen, tasks_in
from twiceshy.store.whole import WholeStore

SHOP = Scope("shop", "")


def test_a_task_is_done_open_again_and_undo_takes_that_back(store: WholeStore) -> None:
    task = learn(store, "Write it", kind="task", scope=SHOP)

    done = finish(app_of(store), task)
    opened = reopen(app_of(store), done)
    undo(app_of(store))

    assert (done.state, opened.state) == ("done", "open")
    assert [one.state for one in tasks_in(store, None)] == ["done"]


def test_only_a_task_is_done(store: WholeStore) -> None:
    note = learn(store, "A lesson", scope=SHOP)

    with pytest.raises(NoteError, match="is a lesson, not a task"):
        finish(app_of(store), note)


def test_an_open_task_is_known_and_one_that_is_done_may_come_up_again(store: WholeStore) -> None:
    again = a_draft("write  IT", kind="task", scope=SHOP)
    task = learn(store, "Write it", kind="task", scope=SHOP)

    known = known_task(store, again, ("shop",))
    elsewhere = known_task(store, again, ("blog",))
    finish(app_of(store), task)

    assert known == task
    assert elsewhere is None
    assert known_task(store, again, ("shop",)) is None
    assert known_task(store, again.but(state="done"), ("shop",))
