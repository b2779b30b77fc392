"""Find sensitive changes in a push, within a time limit.

Nothing of the repository is run: no diff filter, no program that verifies signatures.
"""

from __future__ import annotations

import os

from twiceshy.places.git import listing
from twiceshy.places.repository import Repository, find
from twiceshy.safety.guard.outgoing import Outgoing, revisions, secrets_in

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.safety.guard.names import Names
    from twiceshy.safety.guard.push import Push

_MOST_COMMITS = 500
_LOG = (
    *("-c", "core.quotePath=false", "log", "--no-show-signature", "--no-ext-diff"),
    *("--no-textconv", "--no-color", "--no-renames", "--no-notes", "--format="),
    *("--src-prefix=a/", "--dst-prefix=b/", f"--max-count={_MOST_COMMITS}"),
)
_CONFIGURED = "^(alias\\.|remote\\..*\\.url$)"
_ALIAS, _REMOTE, _URL = "alias.", "remote.", ".url"


class Configured:
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


def configured(directory: str, *, patience: float) -> Configured:
    """Return the push settings of the repository around a directory; empty if none."""
    root = _root(directory)
    asked = ("config", "-z", "--get-regexp", _CONFIGURED)
    return Configured(listing(root, *asked, patience=patience) if root else "")


def pushing_aliases(root: str, *, patience: float) -> list[str]:
    """Return the aliases that may push, directly or through another alias."""
    known = configured(root, patience=patience).aliases
    pushing = {name for name, meaning in known.items() if "push" in meaning}
    return sorted(name for name, meaning in known.items() if pushing & {name, *meaning.split()})


def outgoing(push: Push, here: str, names: Names, *, patience: float) -> Outgoing:
    """Return sensitive changes in the commits a push from a directory would send."""
    root = _root(os.path.join(here, os.path.expanduser(push.git_dir or push.directory)))
    if not root:
        return Outgoing()
    remotes = configured(root, patience=patience).remotes
    remote = push.remote or _usual_remote(root, patience=patience)
    wanted = revisions(push.but(remote=remote), remotes=remotes)
    if not wanted:
        return Outgoing()
    added = listing(
        root, *_LOG, "--diff-filter=A", "--name-only", "-z", *wanted, "--", patience=patience
    )
    patch = listing(
        root, *_LOG, "--diff-filter=AM", "--patch", "--unified=0", *wanted, "--", patience=patience
    )
    paths = (path.strip("\n") for path in added.split("\0"))
    return Outgoing(names.among(filter(None, paths)), secrets_in(patch))


def _root(directory: str) -> str:
    """Return the repository root around a directory; empty if none."""
    found = find(os.path.realpath(directory), home="")
    return found.root if isinstance(found, Repository) else ""


def _usual_remote(root: str, *, patience: float) -> str:
    """Return the push remote of the current branch; origin by default."""
    which = "%(if)%(HEAD)%(then)%(push:remotename)%(end)"
    told = listing(root, "for-each-ref", f"--format={which}", "refs/heads", patience=patience)
    return told.strip() or "origin"
