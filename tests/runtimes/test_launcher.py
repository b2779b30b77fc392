"""The launcher as a runtime runs it: a real shell, real interpreters, and some that are gone."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.requirements import requirement

from twiceshy.runtimes.launcher import (
    LARGEST_LOG,
    Target,
    find_own_target,
    is_untouched_launcher,
    launcher_path,
    parse_launcher,
    render_launcher,
    render_server_launcher,
    server_path,
)

ECHO = """
import os, sys
print(sys.argv[1:], sys.flags.isolated, sys.flags.no_site, os.environ["TWICESHY_HOME"])
print(sys.stdin.read())
"""
ODD_NAMES = ["plain", "two words", "o'clock", 'say "hi"', "$HOME`id`\\n", "記憶"]


def launcher(home: Path, target: Target) -> Path:
    path = Path(launcher_path(str(home)))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(render_launcher(str(home), target), encoding="utf-8")
    path.chmod(0o700)
    return path


def call(path: Path, stdin: bytes = b"{}", **environ: str) -> subprocess.CompletedProcess[bytes]:
    bare = {"PATH": os.environ["PATH"]} | environ
    return subprocess.run(
        [path, "claude-code"], input=stdin, capture_output=True, env=bare, check=False
    )


@pytest.fixture
def hook(tmp_path: Path) -> Path:
    path = tmp_path / "hook.py"
    path.write_text(ECHO)
    return path


@pytest.mark.parametrize("name", ODD_NAMES)
def test_the_hook_is_started_wherever_it_lies(tmp_path: Path, hook: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    python = folder / "python"
    python.symlink_to(sys.executable)
    target = Target(str(python), shutil.copy(str(hook), str(folder)))

    done = call(launcher(folder, target), b"payload")

    assert done.returncode == 0, done.stderr
    assert done.stdout.decode() == f"['claude-code'] 1 1 {folder}\npayload\n"
    assert parse_launcher(render_launcher(str(folder), target)) == target


def test_a_home_that_the_environment_names_wins(tmp_path: Path, hook: Path) -> None:
    path = launcher(tmp_path / "home", Target(sys.executable, str(hook)))

    done = call(path, TWICESHY_HOME="/elsewhere")

    assert done.stdout.decode().splitlines()[0].endswith(" /elsewhere")


@pytest.mark.parametrize("lost", ["interpreter", "link", "hook", "file"])
def test_a_lost_environment_stops_no_session_and_is_logged(
    tmp_path: Path, hook: Path, lost: str
) -> None:
    home = tmp_path / "a home"
    link = tmp_path / "python"
    link.symlink_to(tmp_path / "uninstalled")
    target = {
        "interpreter": Target("/nowhere/python", str(hook)),
        "link": Target(str(link), str(hook)),
        "hook": Target(sys.executable, str(tmp_path / "gone.py")),
        "file": Target(sys.executable, str(tmp_path)),
    }[lost]
    path = launcher(home, target)

    done = call(path)

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    line = (home / "hook.log").read_text()
    assert "Z claude-code launcher InterpreterGone: " in line
    assert target.python in line
    assert (home / "hook.log").stat().st_mode & 0o077 == 0


@requirement("H07")
@pytest.mark.parametrize(
    ("body", "status"),
    [("exit 2", 2), ("exit 1", 1), ("kill -SEGV $$", 139), ("kill -KILL $$", 137)],
    ids=["2, which would stop the session", "1", "crashed", "killed"],
)
def test_an_interpreter_that_fails_stops_no_session_and_is_logged(
    tmp_path: Path, hook: Path, body: str, status: int
) -> None:
    home, python = tmp_path / "home", tmp_path / "python"
    python.write_text(f"#!/bin/sh\necho trouble >&2\n{body}\n")
    python.chmod(0o700)

    done = call(launcher(home, Target(str(python), str(hook))))

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (
        f"InterpreterFailed: {python} ended with status {status};"
        in (home / "hook.log").read_text()
    )


@requirement("H08")
def test_a_log_that_is_a_pipe_is_not_waited_for(tmp_path: Path, hook: Path) -> None:
    path = launcher(tmp_path / "home", Target("/nowhere/python", str(hook)))
    os.mkfifo(tmp_path / "home" / "hook.log")

    assert call(path).returncode == 0


def test_a_lost_environment_still_takes_what_the_runtime_sends(tmp_path: Path, hook: Path) -> None:
    path = launcher(tmp_path / "home", Target("/nowhere/python", str(hook)))

    with subprocess.Popen([path, "claude-code"], stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        written = process.stdin.write(b"x" * 1_000_000)  # a broken pipe would raise here

    assert (written, process.returncode) == (1_000_000, 0)


def test_the_log_of_a_lost_environment_stays_small(tmp_path: Path, hook: Path) -> None:
    path = launcher(tmp_path / "home", Target("/nowhere/python", str(hook)))
    log = tmp_path / "home" / "hook.log"
    log.write_bytes(b"x" * LARGEST_LOG)

    call(path)

    assert log.stat().st_size == LARGEST_LOG


def test_a_launcher_whose_home_cannot_be_written_stays_silent(tmp_path: Path, hook: Path) -> None:
    path = launcher(tmp_path / "home", Target("/nowhere/python", str(hook)))

    done = call(path, TWICESHY_HOME="/nowhere/at/all")

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_target_knows_which_part_of_it_is_missing(tmp_path: Path, hook: Path) -> None:
    assert Target(sys.executable, str(hook)).missing_file == ""
    assert Target("/nowhere/python", str(hook)).missing_file == "/nowhere/python"
    assert Target(sys.executable, "/nowhere/run.py").missing_file == "/nowhere/run.py"


def test_the_interpreter_is_the_one_that_runs_us(tmp_path: Path) -> None:
    target = find_own_target(str(tmp_path))

    assert os.path.samefile(target.python, sys.executable)
    assert target.hook == str(tmp_path / "hooks" / "run.py")


@pytest.mark.parametrize("text", ["", "#!/bin/sh\nexit 0\n", "python=a b\nhook=c\n"])
def test_what_is_no_launcher_of_ours_has_no_target(text: str) -> None:
    assert parse_launcher(text) is None


@pytest.fixture
def server(tmp_path: Path) -> Path:
    """The launcher of a server whose interpreter only tells how it was started."""
    python = tmp_path / "two words" / "python"
    python.parent.mkdir()
    python.write_text('#!/bin/sh\necho "$@" "$TWICESHY_HOME"\n')
    python.chmod(0o755)
    path = Path(server_path(str(tmp_path / "home")))
    path.parent.mkdir(parents=True)
    path.write_text(render_server_launcher(str(tmp_path / "home"), Target(str(python), "")))
    path.chmod(0o700)
    return path


def test_the_server_is_started_with_its_home(server: Path, tmp_path: Path) -> None:
    done = call(server)

    assert done.returncode == 0
    assert done.stdout.decode() == f"-E -P -m twiceshy mcp claude-code {tmp_path}/home\n"
    assert call(server, TWICESHY_HOME="/elsewhere").stdout.endswith(b" /elsewhere\n")


def test_a_server_whose_interpreter_is_gone_says_so_and_fails(
    server: Path, tmp_path: Path
) -> None:
    (tmp_path / "two words" / "python").unlink()

    done = call(server)

    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == (
        f"twiceshy: {tmp_path}/two words/python is gone; run: twiceshy install\n"
    )


@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_launcher_is_known_again_unless_somebody_edited_it(name: str) -> None:
    home, target = f"/h/{name}", Target(f"/venv/{name}/python", f"/p/{name}/run.py")

    for text in (render_launcher(home, target), render_server_launcher(home, target)):
        assert is_untouched_launcher(home, text.encode())
        assert not is_untouched_launcher(home, text.encode() + b"# mine\n")
        assert not is_untouched_launcher("/another/home", text.encode())


@pytest.mark.parametrize("content", [b"", b"\xff", b"python='\n", b"#!/bin/sh\nexit 0\n"])
def test_any_other_file_is_no_launcher(content: bytes) -> None:
    assert not is_untouched_launcher("/h", content)
