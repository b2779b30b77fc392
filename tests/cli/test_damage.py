"""Damage of the store as a person meets it: the first call repairs it, and says so."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.requirements import requirement
from tests.store.support import raw

PAGE = 4096
TEXTS = {f"Lesson {number}: see step-{number} of the manual." for number in range(12)}

Damage = Callable[[Path], object]


def a_byte(at: int, value: int) -> Damage:
    return lambda path: overwrite(path, at, bytes([value]))


def overwrite(path: Path, at: int, body: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(body)


def a_page(table: str, body: bytes) -> Damage:
    def damage(path: Path) -> None:
        with raw(path) as db:
            pages = "SELECT max(pageno) FROM dbstat WHERE name = ? AND pagetype = 'leaf'"
            (number,) = db.execute(pages, [table]).fetchone()
        overwrite(path, (number - 1) * PAGE, body)

    return damage


def run_sql(sql: str) -> Damage:
    def damage(path: Path) -> None:
        with raw(path) as db:
            db.execute(sql)

    return damage


DAMAGE: dict[str, Damage] = {
    "page size": a_byte(16, 0),
    "read-only": a_byte(18, 7),
    "payload fractions": a_byte(22, 0),
    "length": a_byte(31, 1),
    "free pages": a_byte(35, 9),
    "schema format": a_byte(47, 0xFF),
    "text encoding": a_byte(59, 2),
    "version": a_byte(62, 1),
    "a page of notes": a_page("notes", b"\xa5" * PAGE),
    "a page of payloads": a_page("payloads", bytes(PAGE)),
    "the first page": lambda path: overwrite(path, 0, b"\xa5" * PAGE),
    "cut off": lambda path: path.write_bytes(path.read_bytes()[: 5 * PAGE + 9]),
    "a text": run_sql("UPDATE payloads SET body = '{\"te' WHERE id % 3 = 0"),
    "a list": run_sql("UPDATE notes SET files = '[\"src' WHERE seq % 2"),
    "the index": run_sql("UPDATE words_data SET block = x'a5a5a5a5a5'"),
}


@pytest.fixture
def store(twiceshy: Command, home: Path) -> Path:
    """A store with notes and a copy."""
    for text in sorted(TEXTS):
        twiceshy("note", text, "--skill", "release")
    twiceshy("backup", "--copy")
    return home / "twiceshy.db"


def texts(twiceshy: Command) -> set[str]:
    return {note["text"] for note in twiceshy("list", "--all", "--json").json}


@requirement("T317")
@pytest.mark.parametrize("name", DAMAGE)
def test_the_first_call_of_doctor_repairs_it(twiceshy: Command, store: Path, name: str) -> None:
    DAMAGE[name](store)

    first = twiceshy("doctor", "--repair")
    second = twiceshy("doctor")

    assert "BROKEN" not in first.out + second.out
    assert "rebuilt" in first.err
    assert "damaged" not in second.err
    assert texts(twiceshy) == TEXTS
    assert len(twiceshy("search", "step-7 manual", "--json").json) > 0


@requirement("T310")
@pytest.mark.parametrize("at", [*range(16, 24), 47, 59])
def test_no_command_meets_an_empty_store_behind_a_wrong_byte(
    twiceshy: Command, store: Path, at: int
) -> None:
    before = store.read_bytes()[at]
    a_byte(at, before ^ 0x82)(store)

    assert texts(twiceshy) == TEXTS
    twiceshy("note", "Life goes on.")

    (aside,) = (store.parent / "rescued").glob("*/twiceshy.db")
    assert aside.read_bytes()[at] == before ^ 0x82
    with raw(store) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@requirement("T316")
def test_doctor_says_how_many_notes_are_back_and_where_the_file_lies(
    twiceshy: Command, store: Path
) -> None:
    DAMAGE["cut off"](store)

    met = twiceshy("list")
    said = twiceshy("doctor").out

    (aside,) = (store.parent / "rescued").glob("*/twiceshy.db")
    assert f"the store was damaged; it is set aside in {aside}" in met.err
    assert "12 notes completed from the copy of" in met.err
    assert "hint: 12 notes are there" in met.err
    assert "12 notes are back, 12 of them completed from the copy of" in said
    for told in (met.err, said):
        assert "what was written after" in told
        assert "may be missing" in told
    assert str(aside.parent) in said


def test_a_file_without_anything_of_ours_is_told_and_kept(
    twiceshy: Command, home: Path, store: Path
) -> None:
    for copy in (home / "copies").iterdir():
        copy.unlink()
    noise = bytes(range(256)) * 400
    store.write_bytes(noise)

    twiceshy("list")
    said = twiceshy("doctor").out

    assert "None of its notes could be read; there was no copy" in said
    (aside,) = (home / "rescued").glob("*/twiceshy.db")
    assert aside.read_bytes() == noise
