"""Find the repository around a directory and read its files, without git."""

from __future__ import annotations

import os
import stat

from twiceshy.core.value import Value
from twiceshy.files import open_plain

_MOST = 1 << 20  # bytes of a file that we read; a longer config is not one
_UNKNOWN = "?"


class GitWorktree(Value):
    """A working tree or bare repository, with the git directory shared by its worktrees.

    ``dot`` is the path of ``.git`` in the working tree; a bare repository has none.
    """

    root: str
    own: str
    common: str
    dot: str = ""


class Unreadable(Value):
    """A repository without read permission."""

    root: str


def find_repository(here: str, *, home: str) -> GitWorktree | Unreadable | None:
    """Walk up from a resolved directory to its repository, within a file system, like git.

    ``GIT_DIR`` and related variables are ignored: hooks inherit them from the agent's parent. A
    repository at the home directory holds the user's settings, not every folder below: it counts
    only for a session directly in the home.
    """
    place = here
    while True:
        found = _repository_at(place)
        if found is not None:
            return None if found.root == home != here else found
        above = os.path.dirname(place)
        if above == place or _crosses_file_systems(above, place):
            return None
        place = above


def read_head(directory: str, *, common: str) -> str:
    """Return the commit of HEAD; empty before the first commit, ``?`` if unclear from files."""
    text = read_small_file(os.path.join(directory, "HEAD")).strip()
    if not text.startswith("ref:"):
        return _parse_commit(text)
    ref = text.removeprefix("ref:").strip()
    if ref == "refs/heads/.invalid":  # what repositories with reftables say
        return _UNKNOWN
    if not ref.startswith("refs/") or ".." in ref:
        return ""
    if loose := read_small_file(os.path.join(common, ref)).strip():
        return _parse_commit(loose)
    packed = read_small_file(os.path.join(common, "packed-refs"), most=64 * _MOST)
    line = packed[: max(packed.find(f" {ref}\n"), 0)].rpartition("\n")[2]
    return _parse_commit(line) if line else ""


def read_branch(root: str) -> str:
    """Return the branch of a repository's working tree; empty for none or a bare commit."""
    found = _repository_at(root)
    if not isinstance(found, GitWorktree):
        return ""
    head = read_small_file(os.path.join(found.own, "HEAD")).strip()
    return head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else ""


def find_last_move(root: str) -> int:
    """Return when HEAD of a working tree last moved, in milliseconds; 0 if unknown."""
    found = _repository_at(root)
    if not isinstance(found, GitWorktree):
        return 0
    try:
        return int(os.stat(os.path.join(found.own, "logs", "HEAD")).st_mtime * 1_000)
    except OSError:
        return 0


def is_shallow(common: str) -> bool:
    """True if history was cut off, with the root commit missing."""
    return os.path.exists(os.path.join(common, "shallow"))


def read_remote_url(common: str) -> str | None:
    """Return the address of ``origin``, else of the first remote by name."""
    remotes = _parse_remotes(read_small_file(os.path.join(common, "config")))
    if not remotes:
        return None
    return remotes["origin"] if "origin" in remotes else remotes[min(remotes)]


def read_core_worktree(common: str) -> str:
    """Return the working tree that a git directory names as its own, as git writes it."""
    section = found = ""
    for raw in read_small_file(os.path.join(common, "config")).split("\n"):
        line = raw.strip()
        if line.startswith("["):
            section = line.lower()
        key, _, value = line.partition("=")
        if section == "[core]" and key.strip().lower() == "worktree":
            found = _unquote_value(value.strip())
    return found


def may_have_aliases(root: str) -> bool:
    """True if the git settings of repository or user mention aliases."""
    found = _repository_at(root)
    own = os.path.join(found.common, "config") if isinstance(found, GitWorktree) else ""
    places = (own, os.path.expanduser("~/.gitconfig"), os.path.expanduser("~/.config/git/config"))
    texts = [read_small_file(place).lower() for place in places if place]
    return any("[alias" in text or "[include" in text for text in texts)


def identity_marks(common: str) -> tuple[str, str] | None:
    """Return marks of this repository and this config, to detect a later replacement.

    A new ``git init`` may reuse the old inode, but not the creation time of ``refs``.
    """
    try:
        place = os.stat(common)
        refs = os.stat(os.path.join(common, "refs"))
        config = os.stat(os.path.join(common, "config"))
    except OSError:
        return None
    born = f"{place.st_dev}-{place.st_ino}-{refs.st_ino}-{refs.st_mtime_ns}"
    return born, f"{config.st_mtime_ns}-{config.st_size}"


def _repository_at(place: str) -> GitWorktree | Unreadable | None:
    """Return the repository rooted at a directory."""
    dot = os.path.join(place, ".git")
    try:
        mode = os.stat(dot).st_mode
    except OSError:
        mode = 0
    if stat.S_ISREG(mode):
        pointer = read_small_file(dot)
        own = os.path.join(place, pointer.removeprefix("gitdir:").strip())
        told = pointer.startswith("gitdir:")
        return (told and _open_git_directory(place, own, dot)) or Unreadable(place)
    if stat.S_ISDIR(mode) and (found := _open_git_directory(place, dot, dot)):
        return found
    bare = (
        _open_git_directory(place, place) if os.path.lexists(os.path.join(place, "HEAD")) else None
    )
    if bare is not None and os.path.basename(place) == ".git":  # a session inside .git itself
        return bare.but(root=os.path.dirname(place), dot=place)
    return bare


def _open_git_directory(root: str, own: str, dot: str = "") -> GitWorktree | Unreadable | None:
    """Return the repository of a git directory; None if git would refuse."""
    try:
        os.lstat(os.path.join(own, "HEAD"))
    except PermissionError:
        return Unreadable(root)
    except OSError:
        return None
    shared = read_small_file(os.path.join(own, "commondir")).strip()
    own = os.path.realpath(own)
    common = os.path.realpath(os.path.join(own, shared))
    whole = all(os.path.isdir(os.path.join(common, part)) for part in ("objects", "refs"))
    return GitWorktree(root, own, common, dot) if whole else None


def _crosses_file_systems(above: str, place: str) -> bool:
    """True if two directories lie in different file systems; a missing directory lies in none."""
    try:
        return os.stat(above).st_dev != os.stat(place).st_dev
    except OSError:
        return False


def _parse_commit(text: str) -> str:
    """Parse the commit in a ref file; ``?`` for any other content."""
    word = text.split(" ", 1)[0]
    if len(word) in (40, 64) and not word.strip("0123456789abcdef"):
        return word
    return _UNKNOWN if text else ""


def read_small_file(path: str, *, most: int = _MOST) -> str:
    """Return a small text file; empty if unreadable or binary."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", opener=open_plain) as file:
            text = file.read(most)
    except OSError:
        return ""
    return "" if "\0" in text else text


def _parse_remotes(config: str) -> dict[str, str]:
    """Return the first address of every remote in a git config."""
    remotes: dict[str, str] = {}
    section = ""
    for raw in config.replace("\\\n", "").split("\n"):
        line = raw.strip().lstrip("\ufeff")
        if line.startswith("["):
            section, line = _parse_heading(line)
        key, mark, value = line.partition("=")
        if section and mark and key.strip().lower() == "url":
            remotes.setdefault(section, _unquote_value(value.strip()))
    return remotes


def _parse_heading(line: str) -> tuple[str, str]:
    """Parse ``[remote "name"] rest``; other sections have no name here."""
    kind, _, quoted = line[1:].partition('"')
    name, _, rest = quoted.partition('"]')
    if kind.strip().lower() != "remote":
        return "", line.partition("]")[2].strip()
    return name.replace('\\"', '"').replace("\\\\", "\\"), rest.strip()


def _unquote_value(value: str) -> str:
    """Return a config value without quotes and trailing comment."""
    text, quoted, escaped = "", False, False
    for character in value:
        if escaped:
            text, escaped = text + character, False
        elif character == "\\":
            escaped = True
        elif character == '"':
            quoted = not quoted
        elif character in "#;" and not quoted:
            break
        else:
            text += character
    return text.rstrip()
