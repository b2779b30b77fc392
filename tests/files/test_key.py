"""The key for rules: made once, by whoever is first, and read only where it can be relied on."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from twiceshy.core.errors import StoreError
from twiceshy.files.key import make_key, read_key

PROGRAM = """
import sys
from twiceshy.files.key import make_key
print("ready", flush=True)
sys.stdin.readline()
print(make_key(sys.argv[1]).hex())
"""


def test_a_key_is_made_once_and_only_its_owner_can_read_it(folder: Path) -> None:
    path = folder / "rules.key"
    umask = os.umask(0)
    try:
        first = make_key(str(path))
    finally:
        os.umask(umask)

    assert len(first) == 32
    assert path.stat().st_mode & 0o777 == 0o600
    assert make_key(str(path)) == read_key(str(path)) == first == path.read_bytes()
    assert os.listdir(folder) == ["rules.key"]


def test_no_two_devices_have_the_same_key(folder: Path) -> None:
    assert make_key(str(folder / "one")) != make_key(str(folder / "other"))


def test_processes_that_make_a_key_at_the_same_moment_get_the_same(folder: Path) -> None:
    path = str(folder / "rules.key")
    started = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for one in started:
        assert one.stdout
        assert one.stdout.readline() == "ready\n"

    for one in started:
        assert one.stdin
        one.stdin.write("go\n")
        one.stdin.flush()
    keys = {one.communicate()[0].strip() for one in started}

    assert keys == {read_key(path).hex()}
    assert os.listdir(folder) == ["rules.key"]


def test_who_comes_second_takes_the_key_of_the_first(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, wait = folder / "rules.key", os.fsync

    def overtaken(handle: int) -> None:
        wait(handle)
        path.write_bytes(b"first".ljust(32))
        path.chmod(0o600)

    monkeypatch.setattr(os, "fsync", overtaken)

    assert make_key(str(path)) == b"first".ljust(32) == path.read_bytes()
    assert os.listdir(folder) == ["rules.key"]


def test_without_a_key_there_is_none_and_reading_makes_none(folder: Path) -> None:
    assert read_key(str(folder / "rules.key")) == b""
    assert os.listdir(folder) == []


def _link(path: Path) -> None:
    path.with_name("elsewhere").write_bytes(b"k" * 32)
    path.with_name("elsewhere").chmod(0o600)
    path.symlink_to("elsewhere")


def _dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def _short(path: Path) -> None:
    path.write_bytes(b"k" * 31)


def _long(path: Path) -> None:
    path.write_bytes(b"k" * 33)


def _open_to_others(path: Path) -> None:
    path.write_bytes(b"k" * 32)
    path.chmod(0o620)


def _pipe(path: Path) -> None:
    os.mkfifo(path, 0o600)


@pytest.mark.parametrize(
    "put", [_link, _dangling, _short, _long, _open_to_others, _pipe, Path.mkdir]
)
def test_what_is_no_key_of_ours_is_neither_read_nor_replaced(
    folder: Path, put: Callable[[Path], None]
) -> None:
    path = folder / "rules.key"
    put(path)
    before = sorted(os.listdir(folder))

    with pytest.raises(StoreError) as refused:
        make_key(str(path))

    assert read_key(str(path)) == b""
    assert "twiceshy review" in refused.value.hint
    assert sorted(os.listdir(folder)) == before


def test_a_folder_that_cannot_be_written_is_named(folder: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written") as refused:
        make_key(str(folder / "nowhere" / "rules.key"))

    assert str(folder / "nowhere") in refused.value.hint


def test_a_disk_without_hard_links_will_do(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "not supported here")

    monkeypatch.setattr(os, "link", refuse)

    key = make_key(str(folder / "rules.key"))

    assert (folder / "rules.key").read_bytes() == key
    assert os.listdir(folder) == ["rules.key"]
