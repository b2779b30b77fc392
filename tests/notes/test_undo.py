"""Undo is for what was done here."""

from contextlib import closing
from pathlib import Path

import pytest
from tests.store.support import a_store, app_of, learn

from twiceshy.core.errors import NotFoundError
from twiceshy.notes.undo import undo_batch


def test_undo_never_reaches_for_what_another_device_did(tmp_path: Path) -> None:
    with (
        closing(a_store(tmp_path / "laptop")) as laptop,
        closing(a_store(tmp_path / "desk")) as desk,
    ):
        note = learn(laptop, "Tag after the merge.")
        desk.import_records(laptop.export_records())
        desk.settle_objects([note.id])

        with pytest.raises(NotFoundError):
            undo_batch(app_of(desk))

        assert desk.note(note.id) == note
