"""Tasks are listed by project, added, finished and opened again, and one of them is next."""

import io
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.requirements import requirement
from tests.store.support import opened

from twiceshy.core.evidence import Episode
from twiceshy.runtimes.callers import AGENT_MARKS


@pytest.fixture(autouse=True)
def _by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests are a person's, whoever runs them."""
    for mark in AGENT_MARKS:
        monkeypatch.delenv(mark, raising=False)


@pytest.fixture
def blog(tmp_path: Path) -> Path:
    folder = tmp_path / "blog"
    folder.mkdir()
    return folder


def add(twiceshy: Command, *words: str) -> str:
    return twiceshy("todo", "add", *words).out.strip()


@requirement("U061", "E50")
def test_tasks_of_all_projects_or_of_one_are_listed_finished_and_opened_again(
    twiceshy: Command, project: Path, blog: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = add(twiceshy, "Write the changelog")
    add(twiceshy, "Buy milk", "--everywhere")
    monkeypatch.chdir(blog)
    second = add(twiceshy, "Fix the feed")

    everything = twiceshy("todo").out
    one = twiceshy("todo", "--project", str(project)).out
    twiceshy("todo", "done", first, second)
    left = twiceshy("todo").out
    finished = twiceshy("todo", "--all").out
    twiceshy("todo", "reopen", first)
    again = twiceshy("todo", "--project", "shop").out

    assert everything.splitlines()[:6] == [
        "blog: 1 open of 1",
        f"  [ ] {second}  Fix the feed",
        "shop: 1 open of 1",
        f"  [ ] {first}  Write the changelog",
        "no project in particular: 1 open of 1",
        everything.splitlines()[5],
    ]
    assert "Write the changelog" in one
    assert "Fix the feed" not in one
    assert "changelog" not in left
    assert f"  [x] {first}  Write the changelog" in finished
    assert "shop: 0 open of 1" in finished
    assert f"  [ ] {first}  Write the changelog" in again


@requirement("E50")
def test_a_task_put_first_is_next_then_the_project_worked_on_last_then_the_oldest(
    twiceshy: Command, home: Path, blog: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = []
    add(twiceshy, "Write the changelog")
    monkeypatch.chdir(blog)
    feed = add(twiceshy, "Fix the feed")
    said.append(twiceshy("todo").out.splitlines()[-1])
    blog_id = twiceshy("show", feed, "--json").json[0]["project"]
    with opened(home) as store:
        now = store.now()
        store.capture(Episode("e1", "end", "s", blog_id, now, now, title="Worked on the feed"))
    said.append(twiceshy("todo").out.splitlines()[-1])
    add(twiceshy, "Call Ann", "--next", "--project", "shop")
    said.append(twiceshy("todo").out.splitlines()[-1])

    assert [line.partition(" ")[2].partition(" ")[2] for line in said] == [
        "Write the changelog (it is the oldest)",
        "Fix the feed (blog was worked on last)",
        "Call Ann (it was put first)",
    ]
    assert twiceshy("todo", "--json").json["next"]["because"] == "pinned"


def test_a_list_on_stdin_is_taken_apart_and_the_same_list_again_adds_nothing(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = b"# Left\n- [ ] one\n- [x] two\n- [ ] three\n  goes on\n"
    said = []

    for _ in range(2):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
        said.append(twiceshy("todo", "add", "-"))

    assert "tasks added: 3, known already: 0" in said[0].err
    assert "lines that are no tasks: 1" in said[0].err
    assert "tasks added: 0, known already: 3" in said[1].err
    (shop,) = twiceshy("todo", "--all", "--json").json["projects"]
    assert (shop["name"], shop["open"], shop["total"]) == ("shop", 2, 3)
    assert [task["text"] for task in shop["tasks"]] == ["one", "three goes on", "two"]


def test_a_known_task_can_be_put_first_or_ticked_off(twiceshy: Command) -> None:
    task = add(twiceshy, "Write it")

    first = twiceshy("todo", "add", "write it", "--next", "--json").json
    done = twiceshy("todo", "add", "- [x] Write it", "--json").json

    assert [(one["handle"], one["pinned"], one["known"]) for one in first] == [(task, True, True)]
    assert done[0]["state"] == "done"


def test_undo_takes_a_whole_list_back(twiceshy: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"- one\n- two")))
    twiceshy("todo", "add", "-")

    twiceshy("undo")

    assert "nothing is left to do" in twiceshy("todo").err


@pytest.mark.parametrize(
    "words",
    [
        ("add",),
        ("done",),
        ("reopen",),
        ("remove", "x"),
        ("--next",),
        ("done", "x", "--everywhere"),
    ],
)
def test_a_wrong_call_says_what_can_be_given(twiceshy: Command, words: tuple[str, ...]) -> None:
    assert "hint: see: twiceshy todo --help" in twiceshy("todo", *words, fails=2).err


def test_only_tasks_are_done_and_none_of_them_if_one_is_none(twiceshy: Command) -> None:
    task = add(twiceshy, "Write it")
    note = twiceshy("note", "A lesson").out.strip()

    ran = twiceshy("todo", "done", task, note, fails=1)

    assert f"{note} is a lesson, not a task" in ran.err
    assert "1 open of 1" in twiceshy("todo").out


def test_a_list_of_empty_boxes_holds_no_task(twiceshy: Command) -> None:
    assert "there is no task in it" in twiceshy("todo", "add", "- [ ]", fails=1).err


def test_secrets_reach_no_task(twiceshy: Command, home: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

    add(twiceshy, f"Rotate {secret}")
    add(twiceshy, f"Rotate {secret}")

    assert secret not in twiceshy("todo").out
    assert "1 open of 1" in twiceshy("todo").out


def test_a_folder_that_became_a_repository_is_one_project(
    twiceshy: Command, project: Path
) -> None:
    add(twiceshy, "Before")
    name = ["-c", "user.name=a", "-c", "user.email=a@example.invalid"]
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    commit = ["git", *name, "commit", "-q", "--allow-empty", "-m", "x"]
    subprocess.run(commit, check=True, cwd=project)

    add(twiceshy, "After")

    assert "shop: 2 open of 2" in twiceshy("todo").out
