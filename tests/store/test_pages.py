"""Every page of a store may be damaged, and its end may be cut off: the second copy has the rest."""

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from tests.requirements import requirement
from tests.store.support import EVERY_STATUS, app_of, learn, modes_under, opened, raw

from twiceshy.core.errors import DamagedStoreError
from twiceshy.core.note import Note
from twiceshy.notes.edit import edit_fields
from twiceshy.store import settle
from twiceshy.store.command_store import WholeStore
from twiceshy.store.copies import list_copies
from twiceshy.store.store_file import read_notice
from twiceshy.sync.copies import write_copy

PAGE = 4096
NOTES = 12
PARTS = 4  # for processes that share the work


class Sample:
    """The bytes of a store and of its copy, and the notes that both hold."""

    def __init__(self, home: Path) -> None:
        with opened(home) as store:
            with store.change():
                for number in range(NOTES):
                    note = learn(store, f"Lesson {number}: see step-{number}. " + "x" * 120)
                    if number % 9 == 0:
                        edit_fields(app_of(store), note, {"why": f"reason {number}"})
                learn(store, f"Lesson {number}: see step-{number}. " + "x" * 120)
            write_copy(app_of(store, copies__kept=2))
            (copy,) = list_copies(store.path)
            self.notes = notes_of(store)
        self.store = (home / "twiceshy.db").read_bytes()
        self.copy_name, self.copy = Path(copy.path).name, Path(copy.path).read_bytes()

    @property
    def pages(self) -> int:
        return len(self.store) // PAGE

    def lay_out(self, home: Path, content: bytes, *, copied: bool = True) -> Path:
        """Put damaged bytes into a home, with the copy beside them."""
        home.mkdir(mode=0o700)
        (home / "copies").mkdir(mode=0o700)
        files = {home / "twiceshy.db": content}
        if copied:
            files[home / "copies" / self.copy_name] = self.copy
        for path, body in files.items():
            path.write_bytes(body)
            path.chmod(0o600)
        return home

    def with_page(self, number: int, body: bytes) -> bytes:
        return self.store[: number * PAGE] + body + self.store[(number + 1) * PAGE :]

    def damaged(self) -> Iterator[tuple[str, bytes]]:
        """Yield the store with every page in turn blank or noise, and cut off in many places."""
        for number in range(self.pages):
            noise = random.Random(number).randbytes(PAGE)
            body = noise if number % 2 else bytes(PAGE)
            yield f"page {number} of {body[:2]!r}", self.with_page(number, body)
        for number in range(0, self.pages, 6):
            yield f"cut at page {number}", self.store[: number * PAGE]
            yield f"cut in page {number}", self.store[: number * PAGE + 1_000]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    return Sample(tmp_path_factory.mktemp("sound"))


def notes_of(store: WholeStore) -> dict[str, Note]:
    return {note.id: note.but(revision=0) for note in store.notes(EVERY_STATUS, limit=None)}


def look(home: Path) -> bool:
    """Check the store as ``doctor`` does; True if it was found damaged."""
    try:
        with opened(home) as store:
            found = any(one.verdict == "broken" for one in store.check_health())
            return found or store.rescued is not None
    except DamagedStoreError:
        return True


@requirement("T311")
@pytest.mark.parametrize("part", range(PARTS))
def test_with_a_copy_no_damage_of_a_page_costs_a_note(
    sample: Sample, tmp_path: Path, part: int
) -> None:
    for number, (what, content) in islice(enumerate(sample.damaged()), part, None, PARTS):
        home = sample.lay_out(tmp_path / str(number), content)
        found = look(home)

        with opened(home) as store:
            assert notes_of(store) == sample.notes, what
        with raw(home / "twiceshy.db") as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",), what
            assert settle.list_drifted_notes(db) == [], what
        saved = list((home / "rescued").glob("*/twiceshy.db"))
        assert bool(saved) == found, what
        assert bool(read_notice(str(home / "twiceshy.db"))) == found, what
        assert [file.read_bytes() for file in saved] in ([], [content]), what
        assert set(modes_under(home).values()) == {"0600", "0700"}


@requirement("T311")
def test_rows_that_a_page_no_longer_counts_are_not_lost(sample: Sample, tmp_path: Path) -> None:
    for number in leaves_of(sample, tmp_path):
        start, end = number * PAGE + 3, number * PAGE + 5
        count = int.from_bytes(sample.store[start:end], "big") // 2
        content = sample.store[:start] + count.to_bytes(2, "big") + sample.store[end:]
        home = sample.lay_out(tmp_path / str(number), content)

        assert look(home), number
        with opened(home) as store:
            assert notes_of(store) == sample.notes, number


def leaves_of(sample: Sample, place: Path) -> list[int]:
    """Return the numbers of the leaves of the tables that notes and their history are in, from 0."""
    path = place / "sound.db"
    path.write_bytes(sample.store)
    leaves = (
        "SELECT pageno FROM dbstat WHERE name IN (?, ?, ?) AND pagetype = 'leaf' AND ncell > 1"
    )
    with raw(path) as db:
        found = db.execute(leaves, ["notes", "journal", "payloads"]).fetchall()
    return [number - 1 for (number,) in found]


@requirement("T311")
def test_without_a_copy_what_can_be_read_is_there_and_the_rest_is_told(
    sample: Sample, tmp_path: Path
) -> None:
    for number in range(0, sample.pages, 5):
        content = sample.with_page(number, b"\xa5" * PAGE)
        home = sample.lay_out(tmp_path / str(number), content, copied=False)
        found = look(home)

        with opened(home) as store:
            kept = notes_of(store)
        said = read_notice(str(home / "twiceshy.db"))

        assert kept.keys() <= sample.notes.keys()
        assert bool(said) == found
        if len(kept) < NOTES:
            assert (f"{len(kept)} notes are back" if kept else "None of its notes") in said
            assert "there was no copy" in said


def test_a_copy_completes_lost_histories_without_counting_twice(
    sample: Sample, tmp_path: Path
) -> None:
    home = sample.lay_out(tmp_path / "home", sample.store)
    with raw(home / "twiceshy.db") as db:
        db.execute("DELETE FROM payloads WHERE id % 2")
        db.execute("DELETE FROM journal WHERE clock IN (SELECT max(clock) FROM journal)")
    Path(f"{home}/twiceshy.db-wal").unlink(missing_ok=True)
    with (home / "twiceshy.db").open("r+b") as file:
        file.truncate(PAGE * (sample.pages - 1))

    with opened(home) as store:
        assert store.rescued is not None
        assert store.rescued.completed
        assert notes_of(store) == sample.notes
        assert sorted(note.sightings for note in notes_of(store).values())[-2:] == [1, 2]


def test_what_was_forgotten_since_the_copy_does_not_come_back(
    sample: Sample, tmp_path: Path
) -> None:
    home = sample.lay_out(tmp_path / "home", sample.store)
    with opened(home) as store:
        gone = store.notes(EVERY_STATUS)[0]
        store.forget(gone)
    (home / "copies" / sample.copy_name).write_bytes(sample.copy)  # of another disk
    with raw(home / "twiceshy.db") as db:
        pages = "SELECT max(pageno) FROM dbstat WHERE name = 'notes'"
        page = db.execute(pages).fetchone()[0]
    with (home / "twiceshy.db").open("r+b") as file:
        file.seek((page - 1) * PAGE)
        file.write(b"\xa5" * PAGE)

    assert look(home)
    with opened(home) as store:
        assert notes_of(store).keys() == sample.notes.keys() - {gone.id}
