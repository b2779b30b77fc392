"""Skill folders of every runtime: project before user, nearest first."""

from __future__ import annotations

import os

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

    Tier = Literal["project", "global"]

_OF_PROJECTS = (
    (".opencode/skill", "opencode-project"),
    (".opencode/skills", "opencode-project"),
    (".agents/skills", "agents-skills"),
    (".claude/skills", "claude-skills"),
    (".skills", "skills"),
    (".codex/skills", "codex-skills"),
    (".gemini/skills", "gemini-skills"),
    (".pi/skills", "pi-skills"),
)
# A runtime's own folder, the variable that moves it, and where in it the skills are.
_OF_USERS = (
    (".config", "XDG_CONFIG_HOME", "opencode/skills", "opencode-global"),
    (".config", "XDG_CONFIG_HOME", "opencode/skill", "opencode-global"),
    (".opencode", "", "skills", "opencode-global"),
    (".opencode", "", "skill", "opencode-global"),
    (".agents", "", "skills", "agents-skills"),
    (".claude", "CLAUDE_CONFIG_DIR", "skills", "claude-skills"),
    (".codex", "CODEX_HOME", "skills", "codex-skills"),
    (".codex", "CODEX_HOME", "skills/.system", "codex-skills"),
    (".gemini", "", "skills", "gemini-skills"),
    (".pi/agent", "PI_CODING_AGENT_DIR", "skills", "pi-skills"),
    (".skills", "", "", "skills"),
)
_DEEPEST = 40  # folders between a session and its project's root


class SkillSearchPath(Value):
    """Search path for skills: directory, project root, home and variables of a session.

    ``prefer`` is the prefix of the runtime's own folders, such as ``claude``: with copies for
    several runtimes, a session reads its own.
    """

    cwd: str
    root: str
    home: str
    environ: Mapping[str, str] = {}
    prefer: str = ""


class SkillFolderEntry(Value):
    """A skill folder, its owner, and the runtimes that read the folder."""

    path: str
    tier: Tier
    source: str


def list_skill_folders(around: SkillSearchPath) -> list[SkillFolderEntry]:
    """Return every skill folder for this session, in order of precedence."""
    own = [
        SkillFolderEntry(os.path.join(place, inner), "project", source)
        for place in _directory_levels(around)
        for inner, source in _OF_PROJECTS
    ]
    user = _user_folders(around, around.home) if around.home else []
    return [*_prefer_runtime(own, around.prefer), *_prefer_runtime(user, around.prefer)]


def skill_folder_at(path: str, around: SkillSearchPath) -> SkillFolderEntry | None:
    """Return the skill folder of a path, by its form; the user's own are global."""
    for home in _home_forms(around):
        for folder in _user_folders(around, home):
            if folder.path == path:
                return folder
    tail = path.lower()
    for inner, source in _OF_PROJECTS:
        if tail.endswith(f"/{inner}"):
            return SkillFolderEntry(path, "project", source)
    return None


def find_claude_home(around: SkillSearchPath) -> str:
    """Return the configuration folder of Claude Code."""
    return _relocated_folder(around, around.home, ".claude", "CLAUDE_CONFIG_DIR")


def _user_folders(around: SkillSearchPath, home: str) -> list[SkillFolderEntry]:
    """Return the user's own skill folders."""
    return [
        SkillFolderEntry(
            os.path.join(_relocated_folder(around, home, own, variable), inner).rstrip("/"),
            "global",
            source,
        )
        for own, variable, inner, source in _OF_USERS
    ]


def _relocated_folder(around: SkillSearchPath, home: str, own: str, variable: str) -> str:
    """Return a runtime's folder, moved by its variable if absolute."""
    said = around.environ.get(variable, "")
    return said if os.path.isabs(said) else os.path.join(home, own)


def _prefer_runtime(places: list[SkillFolderEntry], source: str) -> list[SkillFolderEntry]:
    """Put the folders of one runtime first, keeping the order of the rest."""
    return sorted(places, key=lambda folder: not folder.source.startswith(source))


def _directory_levels(around: SkillSearchPath) -> list[str]:
    """Return the directories from a session up to its project root; home is no project."""
    if not around.root:
        return []
    here = around.cwd if _is_inside(around.cwd, around.root) else os.path.realpath(around.cwd)
    levels: list[str] = []
    while _is_inside(here, around.root) and here != around.root and len(levels) < _DEEPEST:
        levels.append(here)
        here = os.path.dirname(here)
    return [place for place in (*levels, around.root) if place not in _home_forms(around)]


def _home_forms(around: SkillSearchPath) -> tuple[str, ...]:
    """Return the user's home as given, and with links resolved."""
    return (around.home, os.path.realpath(around.home)) if around.home else ()


def _is_inside(place: str, root: str) -> bool:
    """True if a directory equals another directory, or lies below."""
    return place == root or place.startswith(root.rstrip("/") + "/")
