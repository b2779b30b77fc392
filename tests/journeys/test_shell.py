"""What a person types, in real processes: the demo, a pipe, two projects and eight shells at once."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.requirements import requirement
from tests.sizes import sized

ROOT = Path(__file__).resolve().parents[2]


def twiceshy(
    *words: str, cwd: Path, stdin: bytes = b"", check: bool = True
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "twiceshy", *words],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        check=False,
    )
    assert not (check and done.returncode), done.stderr
    out, err = done.stdout.decode(), done.stderr.decode()
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


def test_the_demo_tells_its_story() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "demo.py")],
        capture_output=True,
        text=True,
        check=True,
    )

    before, _, after = done.stdout.partition("Tuesday, session 2.")
    assert "<twiceshy-note" not in before
    told = "`gh release create`: add `--verify-tag`: "
    assert f"] {told}" in after  # at the start
    assert f">As seen before: {told.removesuffix(': ')}</twiceshy-note>" in after  # at the failure
    assert f">Not run: {told}" in after
    assert '<skill-memory skill="release" mode="flat" count="1" pinned="0">' in after
    assert "was shown:  2026-11-04 in wednesday, at the start" in after
    assert "was shown:  2026-11-05 in thursday, as the reason to stop a call" in after
    assert "ok       launcher: a hook of Claude Code was run" in after
    assert "Files in the memory home that hold the secret: 0." in after


def test_a_note_can_come_through_a_pipe_and_leave_through_one(tmp_path: Path) -> None:
    twiceshy("note", "-", cwd=tmp_path, stdin="先拉取，再打标签\n".encode())

    listed = twiceshy("list", "--json", cwd=tmp_path)

    assert [note["text"] for note in json.loads(listed.stdout)] == ["先拉取，再打标签"]


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    refused = twiceshy("note", "-", cwd=tmp_path, stdin=b"caf\xe9", check=False)

    assert refused.returncode == 1
    assert "not valid UTF-8" in refused.stderr


def test_a_reader_that_stops_early_is_no_error(tmp_path: Path) -> None:
    for number in range(3):
        twiceshy("note", f"Note number {number}", "--new", cwd=tmp_path)

    command = f"{sys.executable} -m twiceshy list --json | head -c 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], cwd=tmp_path, capture_output=True, check=False
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, b"[", b"")


@requirement("U025")
def test_clones_worktrees_and_subdirectories_of_a_project_share_its_notes(tmp_path: Path) -> None:
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    origin = tmp_path / "origin"
    subprocess.run([*git, "init", "-q", str(origin)], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "begin"], cwd=origin, check=True)
    subprocess.run([*git, "clone", "-q", str(origin), str(tmp_path / "clone")], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(tmp_path / "tree")], cwd=origin, check=True)
    inside = tmp_path / "clone" / "src" / "deep"
    inside.mkdir(parents=True)

    twiceshy("note", "Tag after the merge", cwd=origin)

    for place in (origin, tmp_path / "clone", tmp_path / "tree", inside):
        assert "Tag after the merge" in twiceshy("list", cwd=place).stdout, place
    assert twiceshy("list", cwd=tmp_path).stdout == ""


@requirement("A02", "U105")
def test_eight_shells_at_once_lose_nothing(tmp_path: Path, home: Path) -> None:
    texts = [f"Lesson {number:02} of shell {number % 8}" for number in range(sized(24, 48))]

    with ThreadPoolExecutor(8) as shells:
        list(shells.map(lambda text: twiceshy("note", text, cwd=tmp_path), texts))

    listed = json.loads(twiceshy("list", "--json", "--limit", "100", cwd=tmp_path).stdout)
    assert sorted(note["text"] for note in listed) == texts
    assert os.stat(home / "twiceshy.db").st_mode & 0o077 == 0
