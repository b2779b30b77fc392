"""A full disk or a closed pipe: what can be read is read, what is said is true, and nobody sees a bug report."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from tests.learning.sessions import Told
from tests.person import run_by_person
from tests.requirements import requirement
from tests.store.support import fill

COMMAND = [sys.executable, "-m", "twiceshy"]
PRINTING = (
    ("list", "--all"),
    ("list", "--all", "--json"),
    ("export",),
    ("search", "lesson"),
    ("doctor",),
    ("--help",),
    ("note", "Another lesson."),
)
SEEN = "The first lesson is about tags."


def run(*words: str, out: int, err: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *words], text=True, check=False, stdout=out, stderr=err)


@pytest.fixture
def filled(home: Path, tmp_path: Path) -> Path:
    """A memory home whose export does not fit into a pipe."""
    notes = [{"note": {"text": f"Lesson {n} is about thing {n}."}} for n in range(400)]
    lines = [json.dumps(line) for line in ({"twiceshy-bundle": 1}, *notes)]
    (tmp_path / "notes.jsonl").write_text("\n".join(lines) + "\n")
    assert run_by_person("import", "notes.jsonl", "--trust", cwd=tmp_path, env={}).code == 0
    return home


@requirement("T244")
@pytest.mark.parametrize("words", PRINTING, ids=" ".join)
def test_output_that_has_no_room_is_one_line_and_no_bug(
    filled: Path, words: tuple[str, ...]
) -> None:
    with open("/dev/full", "w") as full:
        done = run(*words, out=full.fileno(), err=subprocess.PIPE)

    assert done.returncode == 1
    assert "twiceshy: cannot write the output: No space left on device\n" in done.stderr
    assert "Traceback" not in done.stderr
    assert list(filled.glob("bug-report*")) == []


@requirement("T244")
def test_messages_that_have_no_room_are_left_out(filled: Path) -> None:
    with open("/dev/full", "w") as full:
        done = run("show", "no-such-note", out=subprocess.PIPE, err=full.fileno())

    assert done.returncode == 1
    assert list(filled.glob("bug-report*")) == []


@requirement("T244")
@pytest.mark.parametrize("words", PRINTING[:3], ids=" ".join)
def test_a_reader_that_has_seen_enough_ends_a_command_in_silence(
    filled: Path, words: tuple[str, ...]
) -> None:
    with subprocess.Popen(
        [*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as done:
        assert done.stdout is not None
        assert done.stderr is not None
        assert done.stdout.readline()
        done.stdout.close()
        said = done.stderr.read().decode()

    assert "Traceback" not in said
    assert "bug" not in said
    assert list(filled.glob("bug-report*")) == []


@requirement("T245")
def test_a_full_disk_is_read_by_commands(small_disk: Path) -> None:
    env = {"TWICESHY_HOME": str(small_disk / "home")}

    def call(*words: str) -> tuple[int, str, str]:
        return run_by_person(*words, cwd=small_disk, env=env)

    assert call("note", SEEN, "--skill", "release")[0] == 0
    [note] = json.loads(call("list", "--skill", "release", "--json")[1])
    ballast = fill(small_disk)

    said = [
        call(*words)
        for words in (
            ("list", "--skill", "release"),
            ("search", "tags", "--skill", "release"),
            ("recall", "tags", "--skill", "release"),
            ("show", note["handle"]),
        )
    ]
    refused = call("note", "No room for this one.")
    examined = call("doctor")
    ballast.unlink()
    again = call("note", "There is room again.")

    assert [(code, "about tags" in out) for code, out, _ in said] == [(0, True)] * 4, said
    assert (refused[0], "the disk is full; nothing was changed" in refused[2]) == (1, True)
    assert "the disk is full" in examined[1]
    assert again[0] == 0


@requirement("T245")
def test_forgetting_on_a_full_disk_says_what_became_of_it(small_disk: Path) -> None:
    home = small_disk / "home"
    env = {"TWICESHY_HOME": str(home)}
    for number in range(3):
        run_by_person("note", f"Lesson {number} about tag{number}.", cwd=small_disk, env=env)
    run_by_person("views", "write", "Lessons.md", cwd=small_disk, env=env)
    ids = [
        note["id"]
        for note in json.loads(run_by_person("list", "--json", cwd=small_disk, env=env).out)
    ]
    ballast = fill(small_disk)

    said = []
    while ballast.stat().st_size > 400_000 and ids:
        done = run_by_person("forget", ids[0], "--yes", cwd=small_disk, env=env)
        said.append((done.code, done.err))
        left = json.loads(run_by_person("list", "--json", cwd=small_disk, env=env).out)
        forgotten = ids[0] not in [note["id"] for note in left]
        assert forgotten is ("forgotten" in done.err), done.err
        assert ("nothing was changed" in done.err) is not forgotten, done.err
        ids = ids[1:] if forgotten else ids
        os.truncate(ballast, ballast.stat().st_size - 8192)

    assert not ids
    assert said[0][0] == 1
    assert not any("bug" in err for _, err in said)


@requirement("T246")
def test_stopping_to_learn_says_how_many_notes_were_written(home: Path, tmp_path: Path) -> None:
    one = Told("s1").mistaken().file(tmp_path)
    two = Told("s2", day=1).whiled(20).file(tmp_path)
    body = two.read_bytes()
    with two.open("ab") as file:
        for _ in range(160_000_000 // len(body)):
            file.write(body)
    words = ("distill", "--transcript", str(one), "--transcript", str(two))

    with subprocess.Popen([*COMMAND, *words], stderr=subprocess.PIPE, text=True) as learning:
        while not _count_notes(home):
            assert learning.poll() is None
            time.sleep(0.01)  # for another process, which says when it is there
        learning.send_signal(signal.SIGINT)
        assert learning.stderr is not None
        said = learning.stderr.read()

    assert learning.returncode == 130
    assert "stopped; 1 new notes were written before" in said
    assert "nothing was changed" not in said


def _count_notes(home: Path) -> int:
    path = home / "twiceshy.db"
    if not path.exists():
        return 0
    try:
        with closing(sqlite3.connect(path)) as db:
            return int(db.execute("SELECT count(*) FROM notes").fetchone()[0])
    except sqlite3.OperationalError:
        return 0  # it is being made
