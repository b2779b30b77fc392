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


class Around(Value):
    """Search path for skills: directory, project root, home and variables of a session.

    ``prefer`` is the prefix of the runtime's own folders, such as ``claude``: with copies for
    several runtimes, a session reads its own.
    """

    cwd: str
    root: str
    home: str
    environ: Mapping[str, str] = {}
    prefer: str = ""


class Folder(Value):
    """A skill folder, its owner, and the runtimes that read the folder."""

    path: str
    tier: Tier
    source: str


def folders(around: Around) -> list[Folder]:
    """Return every skill folder for this session, in order of precedence."""
    own = [
        Folder(os.path.join(place, inner), "project", source)
        for place in _levels(around)
        for inner, source in _OF_PROJECTS
    ]
    user = _of_user(around, around.home) if around.home else []
    return [*_preferred(own, around.prefer), *_preferred(user, around.prefer)]


def folder_at(path: str, around: Around) -> Folder | None:
    """Return the skill folder of a path, by its form; the user's own are global."""
    for home in _homes(around):
        for folder in _of_user(around, home):
            if folder.path == path:
                return folder
    tail = path.lower()
    for inner, source in _OF_PROJECTS:
        if tail.endswith(f"/{inner}"):
            return Folder(path, "project", source)
    return None


def claude_home(around: Around) -> str:
    """Return the configuration folder of Claude Code."""
    return _moved(around, around.home, ".claude", "CLAUDE_CONFIG_DIR")


def _of_user(around: Around, home: str) -> list[Folder]:
    """Return the user's own skill folders."""
    return [
        Folder(
            os.path.join(_moved(around, home, own, variable), inner).rstrip("/"), "global", source
        )
        for own, variable, inner, source in _OF_USERS
    ]


def _moved(around: Around, home: str, own: str, variable: str) -> str:
    """Return a runtime's folder, moved by its variable if absolute."""
    said = around.environ.get(variable, "")
    return said if os.path.isabs(said) else os.path.join(home, own)


def _preferred(places: list[Folder], source: str) -> list[Folder]:
    """Put the folders of one runtime first, keeping the order of the rest."""
    return sorted(places, key=lambda folder: not folder.source.startswith(source))


def _levels(around: Around) -> list[str]:
    """Return the directories from a session up to its project root; home is no project."""
    if not around.root:
        return []
    here = around.cwd if _inside(around.cwd, around.root) else os.path.realpath(around.cwd)
    levels: list[str] = []
    while _inside(here, around.root) and here != around.root and len(levels) < _DEEPEST:
        levels.append(here)
        here = os.path.dirname(here)
    return [place for place in (*levels, around.root) if place not in _homes(around)]


def _homes(around: Around) -> tuple[str, ...]:
    """Return the user's home as given, and with links resolved."""
    return (around.home, os.path.realpath(around.home)) if around.home else ()


def _inside(place: str, root: str) -> bool:
    """True if a directory equals another directory, or lies below."""
    return place == root or place.startswith(root.rstrip("/") + "/")
