"""Reading again gives everything or one topic, and leaves the store as it is."""

from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.requirements import requirement
from tests.store.support import dump_everything, raw

NOON = "2026-11-02T12:00:00Z"


def stored(home: Path) -> tuple[bytes, str]:
    """Return the bytes of the store and all that it holds."""
    with raw(home / "twiceshy.db") as db:
        dumped = dump_everything(db)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return (home / "twiceshy.db").read_bytes(), dumped


@pytest.fixture
def filled(twiceshy: Command, monkeypatch: pytest.MonkeyPatch) -> Command:
    """A project with an old page, four new ones, and two tasks."""
    monkeypatch.setenv("TWICESHY_NOW", "2026-10-01T12:00:00Z")
    twiceshy("memory-set", "project", "Sells bicycles.")
    for minute, name in enumerate(("one", "two", "three", "four")):
        monkeypatch.setenv("TWICESHY_NOW", f"2026-11-02T10:{minute:02}:00Z")
        twiceshy("memory-set", name, f"Page {name}.")
    twiceshy("todo", "add", "Write the changelog")
    twiceshy("todo", "done", twiceshy("todo", "add", "Tag it").out.strip())
    twiceshy("note", "Ask Ann about tags", "--tag", "one")
    twiceshy("note", "Bob knows the hosts", "--concept", "One")
    monkeypatch.setenv("TWICESHY_NOW", NOON)
    return twiceshy


@requirement("U156", "E49")
def test_everything_is_the_hub_open_tasks_and_three_pages_of_the_last_day(
    filled: Command, home: Path
) -> None:
    before = stored(home)

    ran = filled("reload")
    topic = filled("reload", "one")

    assert ran.out.startswith("# MEMORY\n")
    assert "Write the changelog" in ran.out
    assert "Tag it" not in ran.out
    shown = [line for line in ran.out.splitlines() if line.startswith("---- ")]
    assert shown == ["---- four ----", "---- three ----", "---- two ----"]
    assert "open tasks: 1; pages: 3" in ran.err
    assert "1 more pages changed" in ran.err
    assert "Page one." in topic.out
    assert "# MEMORY" not in topic.out
    assert stored(home) == before


@requirement("E49")
def test_a_topic_is_its_page_and_the_notes_about_it(filled: Command) -> None:
    ran = filled("reload", "ONE", "--json")
    notes = filled("reload", "one").out

    assert [page["tag"] for page in ran.json["pages"]] == ["one"]
    assert "Ask Ann about tags" in notes
    assert "Bob knows the hosts" in notes


def test_a_topic_may_have_notes_and_no_page(filled: Command) -> None:
    filled("note", "Only a note", "--concept", "hosts")

    ran = filled("reload", "hosts")

    assert "Only a note" in ran.out
    assert "pages: 0; notes: 1" in ran.err


def test_a_topic_that_nobody_wrote_about_is_missed(filled: Command) -> None:
    assert "nothing is kept about 'moon'" in filled("reload", "moon", fails=1).err


def test_a_page_that_changed_long_ago_is_only_pointed_at(
    filled: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-04T12:00:00Z")

    ran = filled("reload", "--json")

    assert ran.json["pages"] == []
    assert "(project.md): Sells bicycles" in ran.json["hub"]
    assert [task["text"] for task in ran.json["tasks"]] == ["Write the changelog"]


def test_an_empty_project_has_a_hub_too(twiceshy: Command) -> None:
    ran = twiceshy("reload")

    assert "- project: empty; twiceshy memory-set project" in ran.out
