"""The repository as others read it: a skill for ``npx skills add``, a plugin for Claude Code's validator."""

import os
import subprocess
from pathlib import Path

import pytest
from tests.journeys.lab.clients import claude, installed, node
from tests.requirements import requirement

import twiceshy

pytestmark = pytest.mark.journey

ROOT = Path(__file__).resolve().parents[2]
PLUGINS = Path(twiceshy.__file__).parent / "plugins" / "claude-code"
SKILLS = "1.7.4"


def skills(*words: str, cwd: Path) -> str:
    """Run the command ``skills``, which must succeed, without a network to report to."""
    script = installed(
        f"skills-{SKILLS}", f"skills@{SKILLS}", wanted="node_modules/skills/bin/cli.mjs"
    )
    quiet = {"DISABLE_TELEMETRY": "1", "DO_NOT_TRACK": "1", "NO_COLOR": "1", "CI": "1"}
    done = subprocess.run(
        [node(), script, *words],
        cwd=cwd,
        env={"PATH": f"{node().parent}:{os.environ['PATH']}", "HOME": os.environ["HOME"]} | quiet,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@requirement("U009", "F57")
def test_the_repository_is_installed_as_one_skill(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()

    listed = skills("add", str(ROOT), "--list", cwd=project)
    skills("add", str(ROOT), "--yes", "--copy", "--agent", "claude-code", cwd=project)

    assert "Found 1 skill" in listed
    installed = project / ".claude" / "skills" / "twiceshy" / "SKILL.md"
    assert installed.read_bytes() == (ROOT / "skills" / "twiceshy" / "SKILL.md").read_bytes()


@pytest.mark.parametrize("folder", [".", "plugins/twiceshy"])
def test_the_shipped_folder_is_valid_in_the_strictest_sense(folder: str) -> None:
    checked = subprocess.run(
        [claude(), "plugin", "validate", "--strict", str(PLUGINS / folder)],
        env={"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "DISABLE_AUTOUPDATER": "1"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "Validation passed" in checked.stdout
    assert "warning" not in checked.stdout
