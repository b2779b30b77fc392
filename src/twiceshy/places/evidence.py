"""What files tell about a checkout that an archive cannot bring: whose it is, and how it came here.

The content of a checkout is a claim of whoever made it: root commit, remote, pointers to a git
directory. The time at which a file appeared on this disk (``ctime``) is none, because nothing
that unpacks or copies can set it.
"""

from __future__ import annotations

import os
import stat
import time

from twiceshy.core.value import Value
from twiceshy.places.repository import GitWorktree, read_core_worktree, read_small_file

# By git, on this machine: with the first commit, as a clone, or otherwise; unknown: "".
BORN, CLONED, STARTED = "born", "clone", "init"
_STABLE = ("description", os.path.join("info", "exclude"))  # git writes them once
_PARTS = ("HEAD", "config", "refs", "objects", "packed-refs", "logs")
_PARTS_BELOW = (("objects", "pack"), ("objects", "info"), ("refs", "heads"), ("logs", "HEAD"))
_BORROWED = (("objects", "info", "alternates"), ("info", "grafts"))
_SAME_MOMENT = 10_000_000  # nanoseconds between the times of a file that git has just written
_DELAY = 5  # seconds until git has written the line that tells of a clone
_CLONE = "clone: from "


class PlaceMarks(Value):
    """Marks of a git directory on this disk: where it is stays open, so that it can be moved.

    ``made`` cannot be repeated elsewhere or later. ``written`` outlives a change of modes and
    owners; it is worth recording only if the files are ``fresh``: an archive chooses such times.
    """

    made: str
    written: str = ""
    fresh: bool = False

    def list_marks(self, *, lasting: bool = False) -> tuple[str, ...]:
        """Return every mark by which the place is found, or those that may be recorded."""
        written = "" if lasting and not self.fresh else self.written
        return tuple(filter(None, (self.made, written)))


def is_own_checkout(tree: GitWorktree) -> bool:
    """True if git directory and working tree belong to each other, as the git directory says.

    A pointer of the working tree alone proves nothing: an archive can hold one to any directory.
    """
    dot, own, common = tree.dot, tree.own, tree.common
    if not dot:  # a bare repository
        return own == common == os.path.realpath(tree.root)
    inside = os.path.join(os.path.realpath(tree.root), "")
    if own.startswith(inside) and common.startswith(inside):
        return True
    if own == common:
        told = read_core_worktree(common)  # of a submodule
        return bool(told) and os.path.realpath(os.path.join(own, told)) == inside.rstrip(os.sep)
    if os.path.dirname(own) != os.path.join(common, "worktrees"):
        return False
    told = read_small_file(os.path.join(own, "gitdir")).strip()
    return bool(told) and os.path.realpath(os.path.join(own, told)) == os.path.realpath(dot)


def read_marks(tree: GitWorktree, *, own: bool) -> PlaceMarks:
    """Return the marks of the repository; of the pointer itself if it leads to a foreign one."""
    if not own:
        return PlaceMarks(_mark_spot("pointer", tree.dot or tree.root, tree.root))
    for name in _STABLE:
        found = _stat_plain(os.path.join(tree.common, name))
        if found is not None:
            made = f"made:{found.st_ctime_ns}-{found.st_ino}"
            written = f"written:{found.st_mtime_ns}-{found.st_ino}"
            return PlaceMarks(made, written, _is_fresh(found))
    return PlaceMarks(_mark_spot("spot", os.path.join(tree.common, "objects"), tree.common))


def find_origin(common: str, *, born_at: int) -> str:
    """Return how git made this directory here; empty for an archive, a copy, or another owner's.

    A git directory that is older on this disk than its first commit (``born_at``, in seconds) is
    where the project began. A fresh one has files whose last change is their creation: what is
    unpacked keeps the times of before, and what is copied is younger than the line that tells of
    the clone.
    """
    stable = next(filter(None, (_stat_plain(os.path.join(common, n)) for n in _STABLE)), None)
    if stable is None or not _is_whole(common):
        return ""
    # Within one second it may be a copy; and a date of tomorrow is made up.
    if int(stable.st_ctime) < born_at <= time.time() + _DELAY:
        return BORN
    if not _is_fresh(stable):
        return ""
    return CLONED if _has_clone_line(common, begun=stable.st_ctime) else STARTED


def _is_whole(common: str) -> bool:
    """True if the directory is the user's, and borrows nothing from another one."""
    try:
        if hasattr(os, "geteuid") and os.stat(common).st_uid != os.geteuid():
            return False
    except OSError:
        return False
    parts = [os.path.join(common, *names) for names in (*((n,) for n in _PARTS), *_PARTS_BELOW)]
    for folder in (os.path.join(common, "objects"), os.path.join(common, "objects", "pack")):
        parts += [os.path.join(folder, name) for name in _list_names(folder)]
    borrowed = [os.path.join(common, *names) for names in _BORROWED]
    return not any(map(os.path.islink, parts)) and not any(map(os.path.lexists, borrowed))


def _has_clone_line(common: str, *, begun: float) -> bool:
    """True if git wrote that it cloned, at the time at which these files appeared."""
    folder = os.path.join(common, "logs", "refs", "remotes")
    logs = [os.path.join(folder, name, "HEAD") for name in _list_names(folder)]
    for path in logs:
        found, lines = _stat_plain(path), read_small_file(path).splitlines()
        if found is None or not _is_fresh(found) or not lines:
            continue
        who, _, message = lines[0].partition("\t")
        at = who.rsplit(" ", 2)[-2:-1]
        begins = not who.partition(" ")[0].strip("0")  # there was nothing before
        if not (begins and message.startswith(_CLONE) and at and at[0].isdecimal()):
            continue
        on_time = int(begun) <= int(at[0]) <= int(found.st_ctime) <= int(at[0]) + _DELAY
        if on_time and _is_in_order(common, log=found.st_ctime_ns):
            return True
    return False


def _is_in_order(common: str, *, log: int) -> bool:
    """True if templates came first and the index came last, as in a clone and in hardly a copy."""
    hooks = os.path.join(common, "hooks")
    samples = [name for name in _list_names(hooks) if name.endswith(".sample")]
    names = [_STABLE[0], *(os.path.join("hooks", name) for name in samples)]
    first = filter(None, (_stat_plain(os.path.join(common, name)) for name in names))
    packed, index = (_stat_plain(os.path.join(common, name)) for name in ("packed-refs", "index"))
    later = [log, *(found.st_ctime_ns for found in (packed, index) if found)]
    newest = max((found.st_ctime_ns for found in first), default=0)
    return newest <= min(later) and (index is None or index.st_ctime_ns >= log)


def _list_names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _is_fresh(found: os.stat_result) -> bool:
    return abs(found.st_ctime_ns - found.st_mtime_ns) <= _SAME_MOMENT


def _stat_plain(path: str) -> os.stat_result | None:
    """Return the status of a plain file that belongs to the user."""
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found if stat.S_ISREG(found.st_mode) else None


def _mark_spot(kind: str, path: str, place: str) -> str:
    from twiceshy.core.prefilter_words import hash_name  # noqa: PLC0415 - most have a better mark

    try:
        number = os.lstat(path).st_ino
    except OSError:
        number = 0
    return f"{kind}:{number}-{hash_name(place.encode('utf-8', 'surrogateescape'))}"
