"""Find sensitive changes in a push, within a time limit.

Nothing of the repository is run: no diff filter, no program that verifies signatures.
"""

from __future__ import annotations

import os
import time

from twiceshy.places.git import FILTERS, find_git_root, read_from_git
from twiceshy.safety.guard.commits import SensitiveChanges, revision_arguments, search_patch

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.safety.guard.names import ProtectedNames
    from twiceshy.safety.guard.push import GitPush

_MOST_COMMITS = 500
_LOG = (
    *("-c", "core.quotePath=false", "log", "--no-show-signature", "--no-ext-diff"),
    *("--no-textconv", "--no-color", "--no-renames", "--no-notes"),
    *("--src-prefix=a/", "--dst-prefix=b/", f"--max-count={_MOST_COMMITS + 1}"),
)
_QUIET = ("-c", "core.quotePath=false", "-c", "core.fsmonitor=false")
_DIFF = (
    *("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames"),
    *("--ignore-submodules=all", "--src-prefix=a/", "--dst-prefix=b/"),
)
_NAMES = ("--diff-filter=A", "--name-only", "-z")
_ADDED = ("-c", "--format=", *_NAMES)  # by merges, too
_PATCH = ("--format=%x01", "--diff-filter=AM", "--patch", "--unified=0")
_UNTRACKED = ("ls-files", "-z", "--others", "--exclude-standard")
_CONFIGURED = f"^(alias\\.|remote\\..*\\.(url|push)$|push\\.default$|{FILTERS}$)"
_ALIAS, _REMOTE, _URL, _PUSH = "alias.", "remote.", ".url", ".push"
_COMMIT = "\x01"  # printed once for each commit
_UNKNOWN = ("$", "`", "*", "?")  # in a folder that only the shell knows


class PushSettings:
    """Settings of a repository for a push: aliases, remote names, more branches, filter programs."""

    def __init__(self, listed: str) -> None:
        self.aliases: dict[str, str] = {}
        self.remotes: list[str] = []
        self.filters: list[str] = []
        self.sends_more = False
        for entry in listed.split("\0"):
            name, _, value = entry.partition("\n")
            if name.startswith(_ALIAS):
                self.aliases[name[len(_ALIAS) :]] = value
            elif name.startswith("filter."):
                self.filters.append(name)
            elif name.endswith(_URL):
                self.remotes.append(name[len(_REMOTE) : -len(_URL)])
            else:
                self.sends_more |= name.endswith(_PUSH) or value == "matching"


class GitPatience:
    """The wall time that is left for questions to git about one call."""

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds

    def ask(self, root: str, *question: str, off: Sequence[str] = ()) -> str:
        """Return git's listing; OSError if git is late or fails. ``off`` names settings to switch off."""
        return read_from_git(root, *question, patience=self._until - time.monotonic(), off=off)


def read_push_settings(directory: str, *, patience: GitPatience) -> PushSettings:
    """Return the push settings of the repository around a directory; empty if none."""
    root = find_git_root(directory)
    if not root:
        return PushSettings("")
    # one value always, or git would fail where nothing is configured
    asked = ("-c", "push.default=simple", "config", "-z", "--get-regexp", _CONFIGURED)
    return PushSettings(patience.ask(root, *asked))


def list_push_aliases(root: str, *, patience: float) -> list[str]:
    """Return the aliases that may push, directly or through another alias.

    Without an answer of git, the empty name stands for any alias.
    """
    try:
        known = read_push_settings(root, patience=GitPatience(patience)).aliases
    except OSError:
        return [""]
    pushing = {name for name, meaning in known.items() if "push" in meaning}
    return sorted(name for name, meaning in known.items() if pushing & {name, *meaning.split()})


def find_sensitive_changes(
    push: GitPush, here: str, names: ProtectedNames, *, patience: GitPatience
) -> SensitiveChanges:
    """Return sensitive changes in the commits a push from a directory would send.

    A commit on the same line comes before the push, so the changes of the working tree count, too.
    """
    where = push.git_dir or push.directory
    if any(sign in where for sign in _UNKNOWN):
        return SensitiveChanges(unsure="its folder is not known before the call")
    root = find_git_root(os.path.join(here, os.path.expanduser(where)))
    if not root:
        return SensitiveChanges()
    files: tuple[str, ...] = ()
    try:
        settings = read_push_settings(root, patience=patience)
        remote = push.remote or _default_remote(root, patience=patience)
        every = push.every or (settings.sends_more and not push.refs)
        refs = tuple(_find_known_ref(root, ref, patience=patience) for ref in push.refs)
        known = push.but(remote=remote, every=every, refs=refs)
        wanted = revision_arguments(known, remotes=settings.remotes)
        if not wanted:
            return SensitiveChanges()
        added, changed = [(*_LOG, *_ADDED, *wanted, "--")], [(*_LOG, *_PATCH, *wanted, "--")]
        if push.after_commit:
            added += [(*_QUIET, *_UNTRACKED), (*_QUIET, *_DIFF, *_NAMES, "HEAD")]
            changed.append((*_QUIET, *_DIFF, "--unified=0", "HEAD"))
        off = tuple(dict.fromkeys(settings.filters))  # runs no program of theirs
        listed = "\0".join(patience.ask(root, *question, off=off) for question in added)
        files = names.select_sensitive(
            filter(None, (path.strip("\n") for path in listed.split("\0")))
        )
        patch = "\n".join(patience.ask(root, *question, off=off) for question in changed)
    except OSError as error:
        return SensitiveChanges(files, unsure=str(error))
    found = search_patch(patch, files)
    if patch.count(_COMMIT) > _MOST_COMMITS:
        return found.but(unsure=f"it sends more than {_MOST_COMMITS} commits")
    return found


def _find_known_ref(root: str, ref: str, *, patience: GitPatience) -> str:
    """Return a branch or tag if it is there, else HEAD.

    A branch that is not there is made on the same line, from what is checked out, or the push fails.
    """
    if ref.startswith("-") or "*" in ref:
        return ref
    try:
        patience.ask(root, "rev-parse", "--verify", "--quiet", "--end-of-options", ref)
    except TimeoutError:
        raise
    except OSError:
        return "HEAD"
    return ref


def _default_remote(root: str, *, patience: GitPatience) -> str:
    """Return the push remote of the current branch; origin by default."""
    which = "%(if)%(HEAD)%(then)%(push:remotename)%(end)"
    told = patience.ask(root, "for-each-ref", f"--format={which}", "refs/heads")
    return told.strip() or "origin"
