"""The word table has two numbers in a byte; a store with vectors of an earlier one is caught up."""

from contextlib import closing
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.store.support import Clock, learn, opened, raw

from twiceshy.core.filter import NoteFilter
from twiceshy.store.connect import HOOK_PATIENCE
from twiceshy.store.hook_store import SqliteHookStore
from twiceshy.store.vectors import shipped, unpack_vector

OLDER = "twiceshy-words-1"
HALVES = st.lists(st.tuples(st.integers(-8, 7), st.integers(-8, 7)), max_size=200)


def older(home: Path) -> Path:
    """Return a store with a note whose vectors are those of an earlier table and of a model."""
    with opened(home) as store:
        note = learn(store, "Freeze the clock in tests.")
    path = home / "twiceshy.db"
    with raw(path) as db:
        db.execute("UPDATE vectors SET model = ?, vector = x'0102'", (OLDER,))
        db.execute("INSERT INTO vectors VALUES (?, 'text', 'onnx any 3', x'0102')", (note.id,))
        db.execute("UPDATE meta SET value = ? WHERE key = 'derived'", (f"1 {OLDER} 4",))
    return path


@given(HALVES)
def test_every_number_comes_back_the_upper_halves_first(numbers: list[tuple[int, int]]) -> None:
    packed = bytes((upper & 15) << 4 | lower & 15 for upper, lower in numbers)

    found = list(memoryview(unpack_vector(packed)).cast("b"))

    assert found == [upper for upper, _ in numbers] + [lower for _, lower in numbers]


def test_with_vectors_of_an_earlier_table_notes_are_found_by_words(tmp_path: Path) -> None:
    path = older(tmp_path)

    with closing(SqliteHookStore(str(path), clock=Clock(), patience=HOOK_PATIENCE)) as store:
        found = store.search_notes(("clock", "test"), NoteFilter())

    assert [note.text for note in found.notes] == ["Freeze the clock in tests."]
    assert [fit.meaning for fit in found.fits.values()] == [0.0]


def test_vectors_of_an_earlier_table_make_way_and_those_of_a_model_stay(tmp_path: Path) -> None:
    path = older(tmp_path)

    with opened(tmp_path, prepared=False):
        pass

    with raw(path) as db:
        models = {model for (model,) in db.execute("SELECT model FROM vectors")}
    assert models == {shipped.identity, "onnx any 3"}
