"""Tasks are counted, taken out of lists, and the next one is chosen by fixed rules."""

import pytest
from tests.core.builders import NOW, a_note, an_id

from twiceshy.core.moment import DAY
from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.project.tasks.rules import (
    ListedTask,
    choose_next_task,
    parse_task_list,
)


def a_task(text: str, number: int, *, project: str = "shop", **fields: object) -> Note:
    usual: dict[str, object] = {"written_at": NOW - 5 * DAY + number}
    scope = Scope(project, "")
    return a_note(text, kind="task", scope=scope, id=an_id(number), **usual | fields)


def test_the_oldest_pinned_task_is_next() -> None:
    tasks = [a_task("a", 1), a_task("b", 3, pinned=True), a_task("c", 2, pinned=True)]

    found = choose_next_task(tasks, last_worked={"shop": NOW})

    assert found
    assert (found.task.text, found.reason) == ("c", "pinned")


def test_without_a_pin_the_project_that_was_worked_on_last_has_the_next_task() -> None:
    tasks = [a_task("a", 1), a_task("b", 2, project="blog"), a_task("c", 3, project="blog")]

    found = choose_next_task(tasks, last_worked={"shop": NOW - DAY, "blog": NOW})

    assert found
    assert (found.task.text, found.reason) == ("b", "worked on last")


def test_where_nobody_worked_the_oldest_task_is_next() -> None:
    tasks = [a_task("b", 2, project="blog"), a_task("a", 1), a_task("z", 0, state="done")]

    found = choose_next_task(tasks, last_worked={})

    assert found
    assert (found.task.text, found.reason) == ("a", "oldest")


def test_nothing_to_do_has_no_next_task() -> None:
    assert choose_next_task([a_task("z", 0, state="done")], last_worked={}) is None


@pytest.mark.parametrize(
    ("text", "items", "strays"),
    [
        ("- [ ] one\n- [x] two\n* [X] three", ["one", "two/done", "three/done"], 0),
        ("# Head\n- [ ] one\n  goes on\n\ntext\n1. [ ] two", ["one goes on", "two"], 2),
        ("- [ ] one\n- an item without a box", ["one"], 1),
        ("- one\n+ two\n12. three", ["one", "two", "three"], 0),
        ("Just a sentence.\nOr two.", ["Just a sentence.\nOr two."], 0),
        ("- []\n- [ ]\n- [ ] x", ["x"], 2),
        ("3. [link](x)", ["[link](x)"], 0),
        (" \r\n", [], 0),
        ("- [ ] a\r\n- [ ] b\r\n", ["a", "b"], 0),
    ],
)
def test_a_list_is_taken_apart(text: str, items: list[str], strays: int) -> None:
    expected = [
        ListedTask(one.removesuffix("/done"), "done" if one.endswith("/done") else "open")
        for one in items
    ]

    assert parse_task_list(text) == (expected, strays)
