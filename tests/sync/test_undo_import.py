"""Undo of an import takes back that import, and nothing else, whatever either store did before."""

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.builders import NOW
from tests.requirements import requirement
from tests.store.support import Clock, app_of, now_of, opened
from tests.sync.test_bundle import BLOG, SHOP, Action, all_notes, do, exported, imported, noted

from twiceshy.core.note import Note
from twiceshy.core.store import Alias, KnownProject, NoteCounter
from twiceshy.notes.edit import edit_fields
from twiceshy.notes.undo import undo_batch
from twiceshy.project import identity as projects
from twiceshy.store import settle
from twiceshy.store.command_store import WholeStore

VERBS = "learn learn edit retire restore pin move tally project link".split()
actions = st.lists(
    st.tuples(st.sampled_from(VERBS), st.integers(0, 9), st.integers(0, 9)), max_size=8
)
# what histories add up to by themselves: how often something was seen stays true
COUNTED: dict[str, Any] = {"sightings": 0, "learned_at": 0, "days": 0, "revision": 0}
SIDELINES = (Alias, KnownProject, NoteCounter)


def act(store: WholeStore, verb: str, one: int, other: int) -> None:
    if verb == "project":
        store.record_project(SHOP, name=f"shop {one % 2}", root="/srv", aliases=[f"path:/{other}"])
    elif verb == "link":
        name = f"dir:{'abc'[one % 3] * 32}"
        projects.add_aliases(app_of(store), (SHOP, BLOG)[other % 2], [name])
    else:
        do(store, verb, one, other)


def state_of(store: WholeStore, known: set[str]) -> tuple[list[Note], list[str]]:
    """Return the notes that were known, and what stands beside them."""
    notes = [note.but(**COUNTED) for note in all_notes(store) if note.id in known]
    return notes, sorted(map(repr, store.export_records(only=SIDELINES)))


@requirement("Y36")
@settings(max_examples=60, deadline=None)
@given(
    together=actions,
    here=actions,
    there=actions,
    ahead=st.sampled_from([60_000, 400_000, 86_400_000]),
)
def test_undo_of_an_import_restores_what_was_before(
    together: list[Action], here: list[Action], there: list[Action], ahead: int
) -> None:
    with TemporaryDirectory() as folder, ExitStack() as stack:
        one, other = (
            stack.enter_context(opened(Path(folder) / name, clock=Clock(NOW + offset)))
            for name, offset in (("one", 0), ("other", ahead))
        )
        for action in together:
            act(one, *action)
        imported(other, exported(one), trust=True)
        for action in here:
            act(one, *action)
        for action in there:
            act(other, *action)
        newest = noted(one, "The newest note of the user.")
        known = {note.id for note in all_notes(one)}
        before = state_of(one, known)
        entries = one.summarise_store().entries

        imported(one, exported(other), trust=True)
        changed = any(entry.op == "import" for entry in one.history()[entries:])
        came = [note for note in all_notes(one) if note.id not in known]
        if changed:
            undo_batch(app_of(one))

        assert state_of(one, known) == before
        assert now_of(one, newest).status == "active"
        assert {now_of(one, note).status for note in came} <= {"retired", "quarantined"}
        assert settle.list_drifted_notes(one._db) == []


@requirement("Y36")
def test_an_edit_after_an_import_outlives_its_undo(tmp_path: Path) -> None:
    with (
        opened(tmp_path / "one", clock=Clock(NOW)) as one,
        opened(tmp_path / "other", clock=Clock(NOW + 60_000)) as other,
    ):
        shared = noted(one, "Said by both.")
        imported(other, exported(one), trust=True)
        edit_fields(app_of(other), now_of(other, shared), {"text": "Changed there."})
        arriving = noted(other, "New there.")
        imported(one, exported(other), trust=True)
        batch = next(entry.batch for entry in one.history() if entry.op == "import")
        edit_fields(app_of(one), now_of(one, shared), {"text": "Changed here since."})
        edit_fields(app_of(one), now_of(one, arriving), {"text": "Reworded here since."})

        undone = undo_batch(app_of(one), batch)

        assert now_of(one, shared).text == "Changed here since."
        assert now_of(one, arriving).text == "Reworded here since."
        assert now_of(one, arriving).status == "active"
        assert len(undone.kept) == 2
