"""State of a git repository: uncommitted changes, and distance to its remote.

Nothing is fetched, no lock is taken and no file watcher of the repository's settings is
started; git has a time limit.
"""

from __future__ import annotations

import os

from twiceshy.core.value import Value
from twiceshy.places.git import list_from_git
from twiceshy.places.repository import GitWorktree, find_repository

PATIENCE = 3.0
_STATUS = (
    *("-c", "core.fsmonitor=false", "status", "--porcelain=v2", "--branch", "-z"),
    *("--untracked-files=normal", "--ignore-submodules=dirty", "--no-renames"),
)
_DISTANCE = "# branch.ab "


class Checkout(Value):
    """A git repository as seen in its working tree and last fetch."""

    root: str
    changed: int
    ahead: int = 0
    behind: int = 0


def read_git_state(directory: str, *, patience: float = PATIENCE) -> Checkout | None:
    """Return the state of the repository around a directory; None if unknown."""
    found = find_repository(os.path.realpath(directory), home="")
    if not isinstance(found, GitWorktree):
        return None
    told = list_from_git(found.root, *_STATUS, patience=patience).split("\0")
    heads = [line for line in told if line.startswith("# ")]
    if not heads:
        return None
    ahead, behind = _parse_distance(heads)
    changed = sum(bool(line) and not line.startswith("# ") for line in told)
    return Checkout(found.root, changed, ahead, behind)


def _parse_distance(heads: list[str]) -> tuple[int, int]:
    for line in heads:
        if line.startswith(_DISTANCE):
            ahead, _, behind = line.removeprefix(_DISTANCE).partition(" ")
            return abs(int(ahead)), abs(int(behind))
    return 0, 0
