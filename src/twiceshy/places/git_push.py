"""Find sensitive changes in a push, within a time limit.

Nothing of the repository is run: no diff filter, no program that verifies signatures.
"""

from __future__ import annotations

import os
import time

from twiceshy.places.git import find_git_root, read_from_git
from twiceshy.safety.guard.commits import SensitiveChanges, revision_arguments, search_patch

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.safety.guard.names import ProtectedNames
    from twiceshy.safety.guard.push import GitPush

_MOST_COMMITS = 500
_LOG = (
    *("-c", "core.quotePath=false", "log", "--no-show-signature", "--no-ext-diff"),
    *("--no-textconv", "--no-color", "--no-renames", "--no-notes", "--format="),
    *("--src-prefix=a/", "--dst-prefix=b/", f"--max-count={_MOST_COMMITS}"),
)
_CONFIGURED = "^(alias\\.|remote\\..*\\.url$)"
_ALIAS, _REMOTE, _URL = "alias.", "remote.", ".url"


class PushSettings:
    """Push settings of a repository: aliases and remote names."""

    def __init__(self, listed: str) -> None:
        self.aliases: dict[str, str] = {}
        self.remotes: list[str] = []
        for entry in listed.split("\0"):
            name, _, value = entry.partition("\n")
            if name.startswith(_ALIAS):
                self.aliases[name[len(_ALIAS) :]] = value
            elif name.startswith(_REMOTE):
                self.remotes.append(name[len(_REMOTE) : -len(_URL)])


class GitPatience:
    """The wall time that is left for questions to git about one call."""

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds

    def ask(self, root: str, *question: str) -> str:
        """Return git's listing; TimeoutError if git is late."""
        return read_from_git(root, *question, patience=self._until - time.monotonic())


def read_push_settings(directory: str, *, patience: GitPatience) -> PushSettings:
    """Return the push settings of the repository around a directory; empty if none."""
    root = find_git_root(directory)
    asked = ("config", "-z", "--get-regexp", _CONFIGURED)
    return PushSettings(patience.ask(root, *asked) if root else "")


def list_push_aliases(root: str, *, patience: float) -> list[str]:
    """Return the aliases that may push, directly or through another alias."""
    try:
        known = read_push_settings(root, patience=GitPatience(patience)).aliases
    except TimeoutError:
        return []
    pushing = {name for name, meaning in known.items() if "push" in meaning}
    return sorted(name for name, meaning in known.items() if pushing & {name, *meaning.split()})


def find_sensitive_changes(
    push: GitPush, here: str, names: ProtectedNames, *, patience: GitPatience
) -> SensitiveChanges:
    """Return sensitive changes in the commits a push from a directory would send."""
    root = find_git_root(os.path.join(here, os.path.expanduser(push.git_dir or push.directory)))
    if not root:
        return SensitiveChanges()
    files: tuple[str, ...] = ()
    try:
        remotes = read_push_settings(root, patience=patience).remotes
        remote = push.remote or _default_remote(root, patience=patience)
        wanted = revision_arguments(push.but(remote=remote), remotes=remotes)
        if not wanted:
            return SensitiveChanges()
        added = patience.ask(root, *_LOG, "--diff-filter=A", "--name-only", "-z", *wanted, "--")
        paths = (path.strip("\n") for path in added.split("\0"))
        files = names.select_sensitive(filter(None, paths))
        patch = patience.ask(
            root, *_LOG, "--diff-filter=AM", "--patch", "--unified=0", *wanted, "--"
        )
    except TimeoutError:
        return SensitiveChanges(files, unsure="git did not answer in time")
    return search_patch(patch, files)


def _default_remote(root: str, *, patience: GitPatience) -> str:
    """Return the push remote of the current branch; origin by default."""
    which = "%(if)%(HEAD)%(then)%(push:remotename)%(end)"
    told = patience.ask(root, "for-each-ref", f"--format={which}", "refs/heads")
    return told.strip() or "origin"
