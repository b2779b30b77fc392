"""Small files: replaced atomically, locked, and edited in place."""

from __future__ import annotations

import os
from errno import EINVAL, ELOOP, ENOENT
from stat import S_ISLNK, S_ISREG, S_ISVTX, S_IWOTH

from twiceshy.core.errors import ForeignStoreError

_ROOT, _UNMAPPED = 0, 65534  # the second is any user of another namespace
_FOLDER_OWNERS: tuple[int, ...] = (_ROOT,)  # beside this user
_PARENT_OWNERS = (_ROOT, _UNMAPPED)


def list_program_folders(path: str) -> str:
    """Return a PATH without relative folders, from which a program of a project would be run."""
    return os.pathsep.join(filter(os.path.isabs, path.split(os.pathsep)))


OWN_IT = "give it to yourself (chown, chmod go-w), or set TWICESHY_HOME to a folder of your own"


def open_plain(path: str, flags: int) -> int:
    """Open a plain file without waiting for a pipe; an ``opener`` for ``open``."""
    handle = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)
    if S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise OSError(EINVAL, "not a plain file", path)


def open_own(path: str, flags: int) -> int:
    """Open a plain file of this user; one of another user, or a link, is as good as missing."""
    try:
        handle = open_plain(path, flags | os.O_NOFOLLOW)
    except OSError as error:
        if error.errno == ELOOP:
            raise FileNotFoundError(ENOENT, "a link", path) from error
        raise
    if is_foreign_file(os.fstat(handle)):
        os.close(handle)
        raise FileNotFoundError(ENOENT, "a file of another user", path)
    return handle


def find_foreign_place(folder: str) -> str:
    """Return the first step of a path that another user owns, or that any user may write to.

    Who can rename a folder above ours can put another one in its place. The folder itself may be
    missing; a folder like /tmp, where each user has only his own files, may stand above it.
    """
    path, linked = os.path.abspath(folder), False
    place, owners = path, _FOLDER_OWNERS
    while place:
        try:
            found = os.lstat(place)
        except OSError:
            found = None  # not there yet
        if found and _is_foreign(found, owners, below=place == path):
            return place
        linked = linked or bool(found and S_ISLNK(found.st_mode))
        above, owners = os.path.dirname(place), _PARENT_OWNERS
        place = "" if above == place else above
    return find_foreign_place(os.path.realpath(path)) if linked else ""


def refuse_foreign_folder(folder: str, *, store: str) -> None:
    """Refuse a folder of another user, or one that others can put another in place of.

    A memory home of this user that others may write to, so copied or made by a program, is closed.
    """
    place = find_foreign_place(folder)
    if place and _is_open_home(folder, store):
        os.chmod(folder, 0o700)
        place = find_foreign_place(folder)
    if place:
        raise ForeignStoreError(
            f"{place} belongs to another user, or any user may write to it", hint=OWN_IT
        )


def _is_open_home(folder: str, store: str) -> bool:
    """True if the store in a folder, and the folder, are this user's."""
    try:
        kept, found = os.lstat(store), os.stat(folder)
    except OSError:
        return False
    return kept.st_uid == found.st_uid == os.geteuid() and not found.st_mode & S_ISVTX


def is_foreign_file(status: os.stat_result) -> bool:
    """True for a file of another user who is not root."""
    return status.st_uid not in (os.geteuid(), _ROOT)


def _is_foreign(found: os.stat_result, owners: tuple[int, ...], *, below: bool) -> bool:
    if found.st_uid not in owners and found.st_uid != os.geteuid():
        return True
    if S_ISLNK(found.st_mode) or not found.st_mode & S_IWOTH:
        return False
    return below or not found.st_mode & S_ISVTX
