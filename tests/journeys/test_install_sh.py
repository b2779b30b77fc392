"""``sh install.sh`` for people without uv or pipx: a private environment, a link, and out again."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.requirements import requirement

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "install.sh"

# pip's settings say where it gets packages from; nothing else of this person's is passed on
PIP = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))}


def sh(*words: str | Path, **environ: str) -> subprocess.CompletedProcess[str]:
    bare = {name: os.environ[name] for name in ("PATH", "HOME", "TWICESHY_HOME")} | PIP | environ
    return subprocess.run(
        ["sh", *map(str, words)],
        env=bare,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """A person's home, with Claude Code in it."""
    (tmp_path / "user" / ".claude").mkdir()
    return tmp_path / "user"


@requirement("F56")
@pytest.mark.journey
def test_it_installs_upgrades_and_removes_without_touching_settings_or_notes(
    user: Path, home: Path
) -> None:
    twiceshy = user / ".local" / "bin" / "twiceshy"
    python = sys.executable

    first = sh(SCRIPT, PYTHON=python)
    second = sh(SCRIPT, PYTHON=python)
    noted = subprocess.run([twiceshy, "note", "Tag after the merge"], check=False)
    connected = subprocess.run([twiceshy, "install", "--yes"], check=False, capture_output=True)
    settings = (user / ".claude" / "settings.json").exists()
    answers = subprocess.run([twiceshy, "doctor"], check=False, capture_output=True, text=True)
    removed = sh(SCRIPT, "--uninstall")

    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    assert f"{twiceshy.parent} is not on your PATH" in first.stderr
    assert f"create  {user}/.claude/settings.json (+" in first.stdout
    assert (noted.returncode, connected.returncode, settings) == (0, 0, True)
    assert "a hook of Claude Code was run, and showed a test note" in answers.stdout
    assert removed.returncode == 0, removed.stderr
    assert not twiceshy.exists()
    assert not (user / ".local" / "share" / "twiceshy").exists()
    assert not (user / ".claude" / "settings.json").exists()
    assert (home / "twiceshy.db").exists()


def test_it_asks_for_a_python_that_is_new_enough(user: Path, tmp_path: Path) -> None:
    old = tmp_path / "programs" / "python3"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    for program in ("sh", "dirname", "grep"):
        os.symlink(shutil.which(program) or "", old.parent / program)

    refused = sh(SCRIPT, PATH=str(old.parent), PYTHON=str(old))

    assert refused.returncode == 1
    assert "Python 3.11 or newer not found" in refused.stderr
    assert not (user / ".local").exists()


def test_it_never_takes_over_a_folder_of_yours(user: Path) -> None:
    precious = user / "thesis"
    precious.mkdir()
    (precious / "pyvenv.cfg").write_text("")

    refused = sh(SCRIPT, TWICESHY_VENV=str(precious))
    removed = sh(SCRIPT, "--uninstall", TWICESHY_VENV=str(precious))

    assert refused.returncode == 1
    assert "was not created by this script" in refused.stderr
    assert removed.returncode == 0
    assert (precious / "pyvenv.cfg").exists()


def test_it_leaves_another_twiceshy_on_the_path_alone(user: Path) -> None:
    other = user / ".local" / "bin" / "twiceshy"
    other.parent.mkdir(parents=True)
    other.write_text("#!/bin/sh\n")

    refused = sh(SCRIPT)
    removed = sh(SCRIPT, "--uninstall")

    assert (refused.returncode, removed.returncode) == (1, 0)
    assert (
        f"{other} belongs to another installation of twiceshy; nothing was changed"
        in refused.stderr
    )
    assert other.read_text() == "#!/bin/sh\n"
    assert not (user / ".local" / "share").exists()


def test_an_unknown_option_is_refused(user: Path) -> None:
    refused = sh(SCRIPT, "--remove")

    assert refused.returncode == 1
    assert "unknown option: --remove" in refused.stderr


def test_it_is_free_of_what_shellcheck_warns_of() -> None:
    shellcheck = shutil.which("shellcheck")
    if shellcheck is None:
        pytest.skip("needs shellcheck")

    checked = subprocess.run([shellcheck, SCRIPT], capture_output=True, text=True, check=False)

    assert checked.stdout == ""
