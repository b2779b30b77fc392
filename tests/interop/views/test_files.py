"""Files that others write too are read whole and replaced whole, and never over what was not read."""

import os
import stat
from pathlib import Path

import pytest

from twiceshy.files import replace
from twiceshy.interop.views import files as viewing
from twiceshy.interop.views.files import (
    FileLocation,
    ViewError,
    read_snapshot,
    wait_until_settled,
    write_over,
)


def a_spot(folder: Path, name: str = "deep/file.md", *, private: bool = True) -> FileLocation:
    return FileLocation(str(folder / name), str(folder), private)


def test_a_file_is_written_with_its_folders_and_read_back(tmp_path: Path) -> None:
    spot = a_spot(tmp_path)

    assert read_snapshot(spot) is None
    assert write_over(spot, "第一行\r\n", None)

    seen = read_snapshot(spot)
    assert seen is not None
    assert seen.text == "第一行\r\n"
    assert os.listdir(tmp_path / "deep") == ["file.md"]


def test_a_file_that_came_into_being_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    spot = a_spot(tmp_path, "file.md")
    (tmp_path / "file.md").write_text("theirs")

    assert not write_over(spot, "ours", None)
    assert (tmp_path / "file.md").read_text() == "theirs"
    assert not list(tmp_path.glob(".twiceshy-*"))


@pytest.mark.parametrize("exchanges", [True, False])
def test_a_file_that_changed_since_it_was_read_is_not_replaced(
    exchanges: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not exchanges:  # as on a system that cannot
        monkeypatch.setattr(replace, "_exchange_files", lambda *_: False)
    spot, file = a_spot(tmp_path, "file.md"), tmp_path / "file.md"
    file.write_text("read")
    seen = read_snapshot(spot)
    file.write_text("changed since")

    assert not write_over(spot, "ours", seen)
    assert file.read_text() == "changed since"
    assert write_over(spot, "ours", read_snapshot(spot))
    assert file.read_text() == "ours"
    assert not list(tmp_path.glob(".twiceshy-*"))


def test_what_somebody_writes_at_the_very_moment_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spot, file = a_spot(tmp_path, "file.md"), tmp_path / "file.md"
    file.write_text("read\n")
    seen = read_snapshot(spot)
    theirs = os.open(file, os.O_WRONLY | os.O_APPEND)
    monkeypatch.setattr("time.sleep", lambda _: os.write(theirs, b"late"))

    assert not write_over(spot, "ours", seen)

    os.close(theirs)
    assert file.read_text() == "read\nlate"


@pytest.mark.parametrize("name", ["../out.md", "deep/../../out.md", "link/out.md", "link.md"])
def test_no_name_and_no_link_leads_out_of_the_folder(name: str, tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "prey.md").write_text("precious")
    (inside / "link").symlink_to(outside)
    (inside / "link.md").symlink_to(outside / "prey.md")
    spot = a_spot(inside, name)

    with pytest.raises(ViewError):
        read_snapshot(spot)
    with pytest.raises(ViewError):
        write_over(spot, "ours", None)

    assert [path.name for path in outside.iterdir()] == ["prey.md"]
    assert (outside / "prey.md").read_text() == "precious"
    assert not (tmp_path / "out.md").exists()


def test_a_folder_that_is_itself_reached_by_a_link_is_the_users_choice(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "chosen").symlink_to(tmp_path / "real")

    assert write_over(a_spot(tmp_path / "chosen", "file.md"), "ours", None)
    assert (tmp_path / "real" / "file.md").read_text() == "ours"


@pytest.mark.parametrize("content", [b"\xff\xfe", b"x" * (viewing.LARGEST + 1)])
def test_what_is_no_text_or_too_large_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "file.md").write_bytes(content)

    with pytest.raises(ViewError):
        read_snapshot(a_spot(tmp_path, "file.md"))


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "file.md")

    with pytest.raises(ViewError, match="not a plain file"):
        read_snapshot(a_spot(tmp_path, "file.md"))


def test_a_file_in_a_project_keeps_its_mode_and_one_at_home_is_its_owners(tmp_path: Path) -> None:
    file = tmp_path / "file.md"
    file.write_text("read")
    file.chmod(0o640)
    spot = a_spot(tmp_path, "file.md", private=False)

    write_over(spot, "ours", read_snapshot(spot))
    kept = stat.S_IMODE(file.stat().st_mode)
    write_over(spot.but(private=True), "ours again", read_snapshot(spot))

    assert kept == 0o640
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_file_that_is_still_written_to_is_not_settled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spot, file = a_spot(tmp_path, "file.md"), tmp_path / "file.md"
    file.write_text("half of")
    half = read_snapshot(spot)
    assert half is not None
    monkeypatch.setattr("time.sleep", lambda _: file.write_text("half of it, and the rest"))

    assert not wait_until_settled(spot, half)

    os.utime(file, (1, 1))
    whole = read_snapshot(spot)
    assert whole is not None
    assert wait_until_settled(spot, whole)
