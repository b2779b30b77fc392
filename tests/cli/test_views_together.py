"""Two processes that note and write views, and somebody who edits the file: nothing is lost."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.requirements import requirement

from twiceshy.cli import run_command_line

pytestmark = pytest.mark.usefixtures("older_layouts")

ROUNDS = 6
WRITER = """
import sys
from twiceshy.cli import run_command_line
for number in range(int(sys.argv[2])):
    assert run_command_line(["note", f"{sys.argv[1]} wrote lesson {number:03}", "--skill", "release"]) == 0
    assert run_command_line(["views", "write", "skills/release/KNOWLEDGE.md"]) == 0
"""
WAITING = """
import os, sys, time
path, rounds = sys.argv[1], int(sys.argv[2])

def wait_for_a_write(since):
    until = time.monotonic() + 10
    while time.monotonic() < until:
        try:
            if os.stat(path).st_ino != since:
                return
        except FileNotFoundError:
            pass
        time.sleep(0.005)
"""
# As editors save: a new file in place of the old one. What came since it was opened is not in it.
REPLACER = (
    WAITING
    + """
for number in range(rounds):
    with open(path, encoding="utf-8") as file:
        text, opened = file.read(), os.fstat(file.fileno()).st_ino
    wait_for_a_write(opened)
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text + f"- Ana wrote line {number:03}\\n")
    os.replace(path + ".new", path)
"""
)
# As a shell does it: one more line at the end of whatever is there.
APPENDER = (
    WAITING
    + """
for number in range(rounds):
    with open(path, "a", encoding="utf-8") as file:
        file.write(f"- Ben wrote line {number:03}\\n")
        opened = os.fstat(file.fileno()).st_ino
    wait_for_a_write(opened)
"""
)
# As small editors save: the same file, emptied and written again bit by bit.
TRUNCATER = (
    WAITING
    + """
for number in range(rounds):
    with open(path, encoding="utf-8") as file:
        text, opened = file.read(), os.fstat(file.fileno()).st_ino
    wait_for_a_write(opened)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        for line in (*text.splitlines(keepends=True), f"- Cem wrote line {number:03}\\n"):
            file.write(line)
            file.flush()
            os.sched_yield()
"""
)


def begun(script: str, *words: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", script, *map(str, words)]
    return subprocess.Popen(
        command, env=dict(os.environ), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )


def texts(capfd: pytest.CaptureFixture[str]) -> set[str]:
    capfd.readouterr()
    assert run_command_line(["list", "--skill", "release", "--limit", "9999", "--json"]) == 0
    return {note["text"] for note in json.loads(capfd.readouterr().out)}


@requirement("U180")
@pytest.mark.parametrize(
    ("editor", "who"), [(REPLACER, "Ana"), (APPENDER, "Ben"), (TRUNCATER, "Cem")]
)
@pytest.mark.usefixtures("project")
def test_two_writers_and_an_editor_at_once_lose_nothing(
    editor: str, who: str, home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run_command_line(["note", "The first lesson", "--skill", "release"]) == 0
    assert run_command_line(["views", "write"]) == 0
    file = home / "views" / "shop" / "skills" / "release" / "KNOWLEDGE.md"

    processes = [
        begun(WRITER, "one", ROUNDS),
        begun(WRITER, "two", ROUNDS),
        begun(editor, file, ROUNDS),
    ]
    ended = [process.communicate()[1].decode() for process in processes]

    assert [process.returncode for process in processes] == [0, 0, 0], ended
    assert run_command_line(["views", "write"]) == 0
    wanted = {"The first lesson"}
    wanted |= {f"{name} wrote lesson {at:03}" for name in ("one", "two") for at in range(ROUNDS)}
    wanted |= {f"{who} wrote line {at:03}" for at in range(ROUNDS)}
    assert texts(capfd) == wanted
    text = file.read_text()
    assert [one for one in wanted if text.count(one) != 1] == []
    assert [path.name for path in file.parent.iterdir()] == ["KNOWLEDGE.md"]
