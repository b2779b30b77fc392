"""A user and a project with folders for skills; every file is a real one."""

from pathlib import Path

import pytest

from twiceshy.places.skill_folders import SkillSearchPath


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """The user's home directory."""
    return tmp_path / "user"


@pytest.fixture
def project(user: Path) -> Path:
    """A project's root, below the user's home."""
    root = user / "code" / "shop"
    root.mkdir(parents=True)
    return root


@pytest.fixture
def around(user: Path, project: Path) -> SkillSearchPath:
    """A session at the root of the project."""
    return SkillSearchPath(str(project), str(project), str(user))


def a_skill(folder: Path, name: str = "release", text: str = "# Release\n") -> Path:
    """Write a skill into a folder of skills, and return its SKILL.md."""
    path = folder / name / "SKILL.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path
