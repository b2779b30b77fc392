"""A lock is one process's at a time, and nobody's as soon as that process is gone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from twiceshy.files.lock import FileLock

HOLDER = """
import sys
from twiceshy.files.lock import FileLock
with FileLock(sys.argv[1]) as held:
    print(held, flush=True)
    sys.stdin.readline()
"""
COUNTER = """
import sys
from twiceshy.files.lock import FileLock
for _ in range(50):
    with FileLock(sys.argv[1]):
        with open(sys.argv[2], encoding="ascii") as file:
            count = int(file.read())
        with open(sys.argv[2], "w", encoding="ascii") as file:
            file.write(str(count + 1))
"""


def a_holder(path: Path) -> subprocess.Popen[str]:
    """Start a process that holds the lock until it is told to end."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "True\n"
    return process


@pytest.fixture(params=["file", "folder"])
def path(request: pytest.FixtureRequest, folder: Path) -> Path:
    """Something that can be locked: a file that does not exist yet, or a folder."""
    return folder / "deep" / "learn.lock" if request.param == "file" else folder


def test_whoever_comes_second_is_told_so(path: Path) -> None:
    with FileLock(str(path), 0.0) as first, FileLock(str(path), 0.0) as second:
        assert (first, second) == (True, False)

    with FileLock(str(path), 0.0) as third:
        assert third


def test_a_process_that_is_killed_holds_nothing(path: Path) -> None:
    with a_holder(path) as holder:
        with FileLock(str(path), 0.0) as ours:
            assert not ours
        holder.kill()
        holder.wait()

        with FileLock(str(path)) as ours:
            assert ours


def test_the_patient_gets_the_lock_when_it_is_free(path: Path) -> None:
    with a_holder(path) as holder:
        assert holder.stdin
        holder.stdin.write("\n")
        holder.stdin.flush()

        with FileLock(str(path), 30.0) as ours:
            assert ours


def test_nothing_that_is_done_under_the_lock_is_done_twice_at_once(
    path: Path, tmp_path: Path
) -> None:
    count = tmp_path / "count"
    count.write_text("0")

    started = [
        subprocess.Popen([sys.executable, "-c", COUNTER, str(path), str(count)]) for _ in range(3)
    ]

    assert [process.wait() for process in started] == [0, 0, 0]
    assert count.read_text() == "150"


def test_a_lock_is_its_owners_and_is_never_a_link(folder: Path) -> None:
    (folder / "link").symlink_to("nowhere")

    with FileLock(str(folder / "lock")):
        assert (folder / "lock").stat().st_mode & 0o777 == 0o600
    with pytest.raises(OSError, match="symbolic links"), FileLock(str(folder / "link")):
        pass

    assert sorted(os.listdir(folder)) == ["link", "lock"]


def test_a_folder_that_is_locked_holds_no_file_for_that(folder: Path) -> None:
    with FileLock(str(folder)):
        assert os.listdir(folder) == []
