"""A file is replaced as a whole or not at all, by nobody but its owner, and never through a link."""

import os
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.commands import run_command
from tests.requirements import requirement

from twiceshy.files import replace
from twiceshy.files.replace import (
    create_file,
    remove_file,
    replace_file,
    replace_unchanged,
    stamp_file,
    write_new_file,
)

READER = """
import sys
path, seen = sys.argv[1], set()
print("ready", flush=True)
while b"last" not in seen:
    with open(path, "rb") as file:
        seen.add(file.read()[:4])
        file.seek(0)
        content = file.read()
        assert content == content[:4] * (len(content) // 4) and content, content[:80]
"""


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def open_umask() -> Iterator[None]:
    """A umask that takes nothing away."""
    before = os.umask(0)
    yield
    os.umask(before)


@given(
    contents=st.lists(st.binary(max_size=64), min_size=1, max_size=4),
    durable=st.booleans(),
    mode=st.sampled_from([0o600, 0o640, 0o644, 0o755]),
)
def test_the_last_content_is_there_whole_and_nothing_else(
    contents: list[bytes], durable: bool, mode: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"

        for content in contents:
            replace_file(str(path), content, mode=mode, durable=durable)

        assert path.read_bytes() == contents[-1]
        assert mode_of(path) == mode
        assert os.listdir(folder) == ["file"]


@given(pieces=st.lists(st.binary(max_size=9)))
def test_a_content_may_come_in_pieces(pieces: list[bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"

        replace_file(str(path), iter(pieces))

        assert path.read_bytes() == b"".join(pieces)


def test_a_reader_sees_one_content_or_the_other(folder: Path) -> None:
    path = folder / "file"
    replace_file(str(path), b"0000" * 50_000)
    with subprocess.Popen(
        [sys.executable, "-c", READER, str(path)], stdout=subprocess.PIPE
    ) as reader:
        assert reader.stdout
        assert reader.stdout.readline() == b"ready\n"

        for number in range(200):
            replace_file(str(path), f"{number:04}".encode() * 50_000)
        replace_file(str(path), b"last" * 50_000)

    assert reader.returncode == 0


@pytest.mark.usefixtures("open_umask")
def test_only_its_owner_can_read_a_file_unless_something_else_is_asked_for(folder: Path) -> None:
    replace_file(str(folder / "own"), b"x")
    replace_file(str(folder / "open"), b"x", mode=None)
    create_file(str(folder / "created"), b"x")
    write_new_file(str(folder / "new"), b"x")

    modes = {path.name: mode_of(path) for path in folder.iterdir()}
    assert modes == {"own": 0o600, "open": 0o666, "created": 0o600, "new": 0o600}


@pytest.mark.parametrize("put", [replace_file, create_file])
def test_a_link_is_never_written_through(
    put: Callable[[str, bytes], object], folder: Path
) -> None:
    (folder / "prey").write_text("precious")
    (folder / "file").symlink_to("prey")

    put(str(folder / "file"), b"ours")

    assert (folder / "prey").read_text() == "precious"


def put_special(path: Path, kind: str) -> None:
    """Put something at a path that is no plain file."""
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "socket":
            with socket.socket(socket.AF_UNIX) as server:
                server.bind(str(path))
        case "folder":
            path.mkdir()
        case _:
            try:
                os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3))
            except PermissionError:
                pytest.skip("only root can make a node of its own for a device")


@requirement("H08")
@pytest.mark.parametrize("kind", ["pipe", "socket", "folder", "device"])
def test_what_is_no_plain_file_is_not_replaced(
    folder: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.chdir(folder)  # a socket's name must be short
    put_special(Path("it"), kind)
    before = os.lstat("it")

    with pytest.raises(OSError, match="plain file"):
        replace_file("it", b"ours")

    assert os.path.samestat(before, os.lstat("it"))
    assert os.listdir() == ["it"]


@requirement("H08")
@pytest.mark.parametrize("kind", ["pipe", "socket", "folder", "device"])
def test_an_export_replaces_only_plain_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)
    run_command("note", "Lock before tagging.", cwd=tmp_path, env={})
    put_special(Path("it"), kind)
    before = os.lstat("it")

    refused = run_command("export", "it", "--force", cwd=tmp_path, env={})

    assert refused.code == 1
    assert "it" in refused.err
    assert os.path.samestat(before, os.lstat("it"))


@requirement("H08")
def test_an_export_to_a_link_writes_the_file_behind_it(tmp_path: Path) -> None:
    run_command("note", "Lock before tagging.", cwd=tmp_path, env={})
    (tmp_path / "file").write_text("older")
    (tmp_path / "link").symlink_to("file")

    run_command("export", "link", "--force", cwd=tmp_path, env={})

    assert (tmp_path / "link").is_symlink()
    assert "Lock before tagging." in (tmp_path / "file").read_text()


def test_a_new_file_takes_no_place_that_is_taken(folder: Path) -> None:
    (folder / "file").write_text("theirs")
    (folder / "link").symlink_to("nowhere")

    for name in ("file", "link"):
        with pytest.raises(FileExistsError):
            write_new_file(str(folder / name), b"ours")
        assert not create_file(str(folder / name), b"ours")

    assert (folder / "file").read_text() == "theirs"
    assert not (folder / "nowhere").exists()


def test_a_failure_leaves_the_old_file_and_no_draft(folder: Path) -> None:
    path = folder / "file"
    path.write_text("old")

    def fails() -> Iterator[bytes]:
        yield b"half of it"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replace_file(str(path), fails())
    (folder / "inner").mkdir()
    with pytest.raises(OSError, match="plain file"):
        replace_file(str(folder / "inner"), b"ours")

    assert path.read_text() == "old"
    assert sorted(os.listdir(folder)) == ["file", "inner"]


def test_where_there_are_no_hard_links_a_file_is_created_all_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "not supported here")

    monkeypatch.setattr(os, "link", refuse)

    assert create_file(str(folder / "file"), b"first")
    assert not create_file(str(folder / "file"), b"second")
    assert (folder / "file").read_bytes() == b"first"
    assert os.listdir(folder) == ["file"]


def test_a_full_disk_leaves_no_part_of_a_new_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)

    with pytest.raises(OSError, match="No space"):
        create_file(str(folder / "file"), b"x", durable=True)

    assert os.listdir(folder) == []


@pytest.mark.parametrize("exchanges", [True, False])
def test_a_change_that_was_not_seen_is_never_replaced(
    exchanges: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not exchanges:  # as on a system that cannot
        monkeypatch.setattr(replace, "_exchange_files", lambda *_: False)
    path = folder / "file"
    path.write_text("seen")
    seen = stamp_file(str(path))
    assert seen
    path.write_text("changed since")

    assert not replace_unchanged(str(path), b"ours", seen)
    assert path.read_text() == "changed since"

    now = stamp_file(str(path))
    assert now
    assert replace_unchanged(str(path), b"ours", now, mode=0o640)
    assert path.read_text() == "ours"
    assert mode_of(path) == 0o640
    assert os.listdir(folder) == ["file"]


def test_a_write_in_the_very_moment_of_the_exchange_is_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "file"
    path.write_text("seen\n")
    seen = stamp_file(str(path))
    assert seen
    theirs = os.open(path, os.O_WRONLY | os.O_APPEND)
    monkeypatch.setattr("time.sleep", lambda _: os.write(theirs, b"late"))

    assert not replace_unchanged(str(path), b"ours", seen)

    os.close(theirs)
    assert path.read_text() == "seen\nlate"


def test_a_file_that_is_gone_has_no_stamp_and_can_be_removed_again(folder: Path) -> None:
    path = folder / "file"
    path.touch()

    remove_file(str(path))
    remove_file(str(path))

    assert stamp_file(str(path)) is None
