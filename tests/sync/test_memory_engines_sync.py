"""What memory-engine's sync got wrong: the time of a file decides nothing here, and deletions travel."""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from tests.core.builders import NOW
from tests.store.support import Clock, app_of, now_of, opened
from tests.sync.test_bundle import FETCH, exported, imported, noted

from twiceshy.core.filter import NoteFilter
from twiceshy.core.scope import GLOBAL
from twiceshy.notes.edit import edit_fields, retire_note

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from twiceshy.store.command_store import WholeStore


@pytest.fixture
def devices(tmp_path: Path) -> Iterator[tuple[WholeStore, WholeStore]]:
    """A device, and one whose clock is an hour slow."""
    with ExitStack() as stack:
        here = stack.enter_context(opened(tmp_path / "here", clock=Clock(NOW)))
        there = stack.enter_context(opened(tmp_path / "there", clock=Clock(NOW - 3_600_000)))
        yield here, there


def carried(store: WholeStore, folder: Path, *, mtime: int) -> bytes:
    """Export to a file whose time a checkout has set to something else, and read it back."""
    file = folder / "bundle.jsonl"
    file.write_bytes(exported(store))
    os.utime(file, (mtime, mtime))
    return file.read_bytes()


@pytest.mark.parametrize("mtime", [0, 4_000_000_000])
def test_m18_the_time_of_a_file_decides_nothing_and_the_later_edit_wins(
    devices: tuple[WholeStore, WholeStore], tmp_path: Path, mtime: int
) -> None:
    here, there = devices
    note = noted(here)
    imported(there, carried(here, tmp_path, mtime=mtime))
    edit_fields(app_of(there), now_of(there, note), {"text": FETCH + " There."})
    older = carried(there, tmp_path, mtime=mtime)
    imported(here, older)
    edit_fields(app_of(here), now_of(here, note), {"text": FETCH + " Here, later."})

    imported(here, older)
    imported(there, carried(here, tmp_path, mtime=mtime))

    assert {now_of(store, note).text for store in devices} == {FETCH + " Here, later."}


def test_m18_what_was_retired_or_forgotten_does_not_come_back_with_an_old_file(
    devices: tuple[WholeStore, WholeStore], tmp_path: Path
) -> None:
    here, there = devices
    kept, gone = noted(here), noted(here, "The staging host is called blue.")
    old = carried(here, tmp_path, mtime=4_000_000_000)
    imported(there, old)
    retire_note(app_of(here), kept, reason="by hand")
    here.forget(gone)

    imported(here, old)
    imported(there, carried(here, tmp_path, mtime=0))

    for store in devices:
        assert now_of(store, kept).status == "retired"
        assert store.note(gone.id) is None


def test_m18_what_holds_everywhere_is_one_note_and_no_copy_in_each_project(
    devices: tuple[WholeStore, WholeStore], tmp_path: Path
) -> None:
    here, there = devices
    noted(here, scope=GLOBAL)
    there.record_project("git:" + "c" * 40, name="other", root="/home/u/other")

    for _ in range(3):
        imported(there, carried(here, tmp_path, mtime=0))
        imported(here, carried(there, tmp_path, mtime=0))

    assert [store.count_notes(NoteFilter()) for store in devices] == [1, 1]
