"""Files of other programs, of older versions and of killed processes: none is harmed, and ours do not stay."""

import json
import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.core.builders import NOW
from tests.requirements import requirement
from tests.store.support import bytes_under, raw

from twiceshy.core.moment import DAY, SECOND, format_stamp
from twiceshy.store.schema import STEPS, VERSION

DRAFT = ".twiceshy-0a1b2c3d4e5f"


def write_bookmarks(path: Path) -> None:
    with raw(path) as db:
        db.execute("CREATE TABLE bookmarks (id INTEGER PRIMARY KEY, notes TEXT)")
        db.execute("INSERT INTO bookmarks VALUES (1, 'mine')")


def write_notebook(path: Path) -> None:
    """Write a database with a table and a version that could be ours."""
    with raw(path) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE notes (id TEXT, text TEXT)")
        db.execute(f"PRAGMA user_version = {VERSION}")


def write_text(path: Path) -> None:
    path.write_text("My shopping list: milk, eggs, tombs.\n")


@requirement("T247")
@pytest.mark.parametrize("write", [write_bookmarks, write_notebook, write_text])
@pytest.mark.parametrize("words", [("note", "Lock first."), ("list",), ("doctor", "--repair")])
def test_a_file_of_another_program_is_refused_and_not_touched(
    twiceshy: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    write: Callable[[Path], None],
    words: tuple[str, ...],
) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir()
    write(folder / "theirs.db")
    (folder / "theirs.db").chmod(0o644)
    before = bytes_under(folder)
    monkeypatch.setenv("TWICESHY_STORE_PATH", str(folder / "theirs.db"))

    refused = twiceshy(*words, fails=1)

    assert "belongs to another program" in refused.err + refused.out
    assert "store.path" in refused.err + refused.out
    assert bytes_under(folder) == before
    assert stat.S_IMODE((folder / "theirs.db").stat().st_mode) == 0o644


@requirement("T247")
@pytest.mark.parametrize("damage", [0, 16, 4096])
def test_a_damaged_store_of_ours_elsewhere_is_still_saved(
    twiceshy: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: int
) -> None:
    path = tmp_path / "kept" / "mine.db"
    monkeypatch.setenv("TWICESHY_STORE_PATH", str(path))
    twiceshy("note", "Lock first.")
    with path.open("r+b") as file:
        file.seek(damage)
        file.write(b"\xff" * 16)

    twiceshy("note", "Then unlock.")

    assert "Then unlock." in twiceshy("list").out


@requirement("T248")
def test_an_older_store_on_a_disk_that_cannot_be_written_is_read(
    twiceshy: Command, small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = small_disk / "home"
    monkeypatch.setenv("TWICESHY_HOME", str(home))
    twiceshy("note", "Lock first.")
    with raw(home / "twiceshy.db") as db:
        db.execute("DROP TABLE places")
        db.execute("DELETE FROM migrations WHERE number = ?", (len(STEPS),))
        db.execute(f"PRAGMA user_version = {VERSION - 1}")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = bytes_under(home)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)

    listed = twiceshy("list").out
    found = twiceshy("search", "lock").out
    examined = json.loads(twiceshy("doctor", "--json").out)
    refused = twiceshy("note", "Then unlock.", fails=1)
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)

    assert "Lock first." in listed
    assert "Lock first." in found
    [store] = [one for one in examined if one["what"] == "store"]
    assert "older twiceshy" in store["message"]
    assert "upgrades it" in store["hint"]
    assert "read-only" in refused.err
    assert bytes_under(home) == before


@requirement("T249")
def test_old_drafts_go_from_folders_of_clients_and_nothing_else_does(
    twiceshy: Command, project: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = tmp_path / "user" / ".config/opencode"
    client.mkdir(parents=True)
    (client / "opencode.json").write_text("{}")
    twiceshy("install", "opencode", "--yes")
    receipt = json.loads((home / "receipts" / "opencode.json").read_text())
    folders = {Path(file["path"]).parent for file in receipt["files"]}
    assert any(client in (folder, *folder.parents) for folder in folders)
    old = (NOW - 10 * DAY) / SECOND
    drafts = [folder / DRAFT for folder in folders]
    foreign = [
        client / name
        for name in ("twiceshy-0a1b2c3d4e5f", ".twiceshy-notes", ".other-0a1b2c3d4e5f")
    ]
    fresh = client / ".twiceshy-ffffffffffff"
    for path in (*drafts, *foreign, fresh):
        path.write_text("x")
        os.utime(path, (old, old))
    os.utime(fresh, (NOW / SECOND, NOW / SECOND))
    link = client / ".twiceshy-aaaaaaaaaaaa"
    link.symlink_to(client / "opencode.json")
    monkeypatch.setenv("TWICESHY_NOW", format_stamp(NOW))

    said = twiceshy("compress", "--json").json

    assert not [path for path in drafts if path.exists()]
    assert all(path.exists() for path in (*foreign, fresh, link, client / "opencode.json"))
    assert len(said["swept"]) == len(drafts)


@requirement("T250")
@pytest.mark.parametrize(("layout", "name"), [("memory-engine", "views"), ("vault", "vault")])
def test_every_folder_of_views_is_for_its_owner_alone(
    twiceshy: Command, home: Path, monkeypatch: pytest.MonkeyPatch, layout: str, name: str
) -> None:
    monkeypatch.setenv("TWICESHY_VIEWS_LAYOUTS", layout)
    twiceshy("note", "Lock first.")
    twiceshy("memory-set", "deploy", "Ship it.")
    before = os.umask(0o022)
    try:
        twiceshy("views", "write")
    finally:
        os.umask(before)

    made = list((home / name).rglob("*"))
    folders = [path for path in made if path.is_dir()]

    assert len(folders) > 1
    assert {stat.S_IMODE(path.stat().st_mode) for path in (home / name, *folders)} == {0o700}
    assert {stat.S_IMODE(path.stat().st_mode) for path in made if path.is_file()} == {0o600}


def test_options_for_other_programs_do_not_go_with_a_bundle(
    twiceshy: Command, project: Path
) -> None:
    (project / "b.jsonl").write_text('{"twiceshy-bundle":1}\n{"note":{"text":"Lock first."}}\n')

    refused = twiceshy("import", "b.jsonl", "--project", ".", fails=2)
    nothing = twiceshy("import", "--project", ".")

    assert "is a bundle, whose notes name their projects" in refused.err
    assert "no notes of other programs were found here" in nothing.err


@pytest.mark.parametrize("spelled", ["foreign.db", "./foreign.db", "{}"])
def test_a_database_of_another_program_is_no_value_for_the_store(
    twiceshy: Command, home: Path, project: Path, spelled: str
) -> None:
    path = project / "foreign.db"
    write_bookmarks(path)
    before = path.read_bytes()

    refused = twiceshy("config", "set", "store.path", spelled.format(path), fails=1)

    assert "/shop/foreign.db belongs to another program; nothing in it was changed" in refused.err
    assert path.read_bytes() == before
    assert not (home / "config.toml").exists()
