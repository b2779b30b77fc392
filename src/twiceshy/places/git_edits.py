"""Ask git for edits since a revision; runs no program of the repository."""

from __future__ import annotations

import os
from time import monotonic

from twiceshy.core.errors import NotFoundError
from twiceshy.places.git import has_commit, list_from_git
from twiceshy.places.repository import GitWorktree, find_repository

PATIENCE = 30.0  # seconds; a person waits
# All of a file stands around each change: a private passage may begin far above it.
_DIFF = (
    *("-c", "core.quotePath=false", "-c", "core.fsmonitor=false", "diff", "--no-ext-diff"),
    *("--no-textconv", "--no-color", "--find-renames", "--ignore-submodules=all"),
    *("--diff-filter=MR", "--unified=1000000", "--src-prefix=a/", "--dst-prefix=b/"),
)


def diff_since(directory: str, revision: str = "HEAD", *, patience: float = PATIENCE) -> str:
    """Return the changes of a working tree since a revision, as a unified diff."""
    found = find_repository(os.path.realpath(directory), home="")
    if not isinstance(found, GitWorktree):
        raise NotFoundError(
            "there is no git repository here to compare with",
            hint="give two files: twiceshy analyze BEFORE AFTER",
        )
    if revision.startswith("-") or not _has_revision(found.root, revision, patience=patience):
        raise NotFoundError(
            f"git knows no commit {revision!r} here",
            hint="give one that git log shows, such as HEAD~1",
        )
    begun = monotonic()
    told = list_from_git(
        found.root,
        *_filter_off_options(found.root, patience=patience),
        *_DIFF,
        revision,
        "--",
        patience=patience,
    )
    if monotonic() - begun >= patience:
        raise NotFoundError(
            f"git took longer than {patience:g} s",
            hint="look at one file: git diff HEAD -- FILE | twiceshy analyze -",
        )
    return told


def _filter_off_options(root: str, *, patience: float) -> list[str]:
    """Return git options that switch off filter programs."""
    asked = (
        "config",
        "-z",
        "--name-only",
        "--get-regexp",
        r"^filter\..*\.(clean|process|required)$",
    )
    names = dict.fromkeys(filter(None, list_from_git(root, *asked, patience=patience).split("\0")))
    off = (name + ("=false" if name.endswith(".required") else "=") for name in names)
    return [word for each in off for word in ("-c", each)]


def _has_revision(root: str, revision: str, *, patience: float) -> bool:
    try:
        return has_commit(root, revision, patience=patience)
    except TimeoutError:
        return False
