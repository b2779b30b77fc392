"""Ask git for edits since a revision; runs no program of the repository."""

from __future__ import annotations

import os
from time import monotonic

from twiceshy.core.errors import NotFoundError
from twiceshy.places.git import has_commit, listing
from twiceshy.places.repository import Repository, find

PATIENCE = 30.0  # seconds; a person waits
# All of a file stands around each change: a private passage may begin far above it.
_DIFF = (
    *("-c", "core.quotePath=false", "-c", "core.fsmonitor=false", "diff", "--no-ext-diff"),
    *("--no-textconv", "--no-color", "--find-renames", "--ignore-submodules=all"),
    *("--diff-filter=MR", "--unified=1000000", "--src-prefix=a/", "--dst-prefix=b/"),
)


def edits(directory: str, revision: str = "HEAD", *, patience: float = PATIENCE) -> str:
    """Return the changes of a working tree since a revision, as a unified diff."""
    found = find(os.path.realpath(directory), home="")
    if not isinstance(found, Repository):
        raise NotFoundError(
            "there is no git repository here to compare with",
            hint="give two files: twiceshy analyze BEFORE AFTER",
        )
    if revision.startswith("-") or not _has(found.root, revision, patience=patience):
        raise NotFoundError(
            f"git knows no commit {revision!r} here",
            hint="give one that git log shows, such as HEAD~1",
        )
    begun = monotonic()
    told = listing(
        found.root,
        *_without_filters(found.root, patience=patience),
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


def _without_filters(root: str, *, patience: float) -> list[str]:
    """Return git options that switch off filter programs."""
    asked = (
        "config",
        "-z",
        "--name-only",
        "--get-regexp",
        r"^filter\..*\.(clean|process|required)$",
    )
    names = dict.fromkeys(filter(None, listing(root, *asked, patience=patience).split("\0")))
    off = (name + ("=false" if name.endswith(".required") else "=") for name in names)
    return [word for each in off for word in ("-c", each)]


def _has(root: str, revision: str, *, patience: float) -> bool:
    try:
        return has_commit(root, revision, patience=patience)
    except TimeoutError:
        return False
