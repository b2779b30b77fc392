"""Tasks are counted, taken out of lists, and the next one is chosen by fixed rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW, a_note, an_id, notes, several

from twiceshy.core.moment import DAY
from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.project.tasks.rules import (
    ListedTask,
    choose_next_task,
    list_open_tasks,
    parse_task_list,
    summarise_tasks,
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


def test_a_summary_counts_and_names_the_first_tasks() -> None:
    tasks = [a_task(f"Do {n}", n) for n in range(4)] + [a_task("z", 9, state="done")]
    first, second, third, _ = (task.handle for task in tasks[:4])

    said = summarise_tasks(tasks, now=NOW)

    assert said == (
        f"4 open tasks of 5: [{first}] Do 0; [{second}] Do 1; [{third}] Do 2; 1 more: twiceshy todo"
    )


def test_a_summary_says_when_a_task_waits_for_long() -> None:
    said = summarise_tasks([a_task("Do it", 1, written_at=NOW - 20 * DAY)], now=NOW)

    assert said.startswith("1 open task of 1: ")
    assert said.splitlines()[1] == "The oldest waits for 20 days; done is: twiceshy todo done ID"


def test_nothing_to_do_needs_no_summary() -> None:
    assert summarise_tasks([a_task("z", 9, state="done")], now=NOW) == ""


@given(several(notes(kind="task", subtype="", text=st.text(min_size=1, max_size=300)), most=20))
def test_a_summary_has_at_most_two_short_lines_and_forges_nothing(tasks: list[Note]) -> None:
    tasks = [task.but(state="open") for task in tasks]

    lines = summarise_tasks(tasks, now=NOW).split("\n")

    assert len(lines) <= 2
    assert all(len(line) < 700 and "</" not in line for line in lines)
    assert len(list_open_tasks(tasks)) == len(tasks)


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
