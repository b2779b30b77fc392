"""A log holds its newest lines, whole, for its owner alone, and never grows without end."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from twiceshy.files.log import append_lines

WRITER = """
import sys
from twiceshy.files.log import append_lines
for number in range(200):
    append_lines(sys.argv[1], [f"{sys.argv[2]} {number} {'x' * 80}"], most=1 << 20)
"""
LINES = st.text(st.characters(exclude_characters="\n\r"), max_size=30)


@given(lines=st.lists(LINES, min_size=1, max_size=60), most=st.integers(300, 1_000))
def test_the_newest_lines_are_kept_whole_and_in_order(lines: list[str], most: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.log"

        for line in lines:
            append_lines(str(path), [line], most=most)

        written = path.read_bytes()
        kept = written.decode().split("\n")[:-1]
        assert 0 < len(written) <= most
        assert kept == [line.encode("utf-8", "replace").decode() for line in lines][-len(kept) :]
        assert os.listdir(folder) == ["run.log"]


def test_several_lines_are_one_write(folder: Path) -> None:
    append_lines(str(folder / "run.log"), ["one", "two"], most=100)

    assert (folder / "run.log").read_text() == "one\ntwo\n"


def test_only_its_owner_can_read_it_even_if_it_was_there_before(folder: Path) -> None:
    path = folder / "run.log"
    umask = os.umask(0)
    try:
        path.touch(0o644)
        append_lines(str(path), ["x" * 40], most=100)
        before = path.stat().st_mode & 0o777
        append_lines(str(path), ["y" * 80], most=100)
    finally:
        os.umask(umask)

    assert (before, path.stat().st_mode & 0o777) == (0o600, 0o600)


def test_the_lines_of_writers_at_the_same_time_are_all_there(folder: Path) -> None:
    path = folder / "run.log"

    started = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), name]) for name in "abc"]

    assert [process.wait() for process in started] == [0, 0, 0]
    wanted = {f"{name} {number} {'x' * 80}" for name in "abc" for number in range(200)}
    assert sorted(path.read_text().splitlines()) == sorted(wanted)


def test_a_link_to_a_log_stays_one(folder: Path) -> None:
    (folder / "link").symlink_to("run.log")

    for number in range(20):
        append_lines(str(folder / "link"), [f"{number:020}"], most=100)

    assert (folder / "link").is_symlink()
    assert (folder / "run.log").read_text().endswith(f"{19:020}\n")


def test_a_pipe_stays_what_it_is(folder: Path) -> None:
    path = folder / "pipe"
    os.mkfifo(path, 0o640)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    append_lines(str(path), ["x" * 200], most=100)

    assert os.read(reader, 300) == b"x" * 200 + b"\n"
    os.close(reader)
    assert path.is_fifo()
    assert path.stat().st_mode & 0o777 == 0o640


def test_where_it_cannot_be_written_nothing_happens(folder: Path) -> None:
    (folder / "run.log").mkdir()

    append_lines(str(folder / "run.log"), ["x"], most=100)
    append_lines(str(folder / "nowhere" / "run.log"), ["x"], most=100)
    append_lines("", ["x"], most=100)

    assert os.listdir(folder) == ["run.log"]
    assert os.listdir(folder / "run.log") == []
