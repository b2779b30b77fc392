"""Short hashes of a session, in an owner-only file of the memory home, with the key that they were made with."""

from __future__ import annotations

import os

from twiceshy.core.errors import StoreError
from twiceshy.files.key import make_key, read_key

FOLDER = "found"  # in the memory home
KEY = "found.key"
_MOST = 1 << 12  # bytes of a session's hashes
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC


def read_hashes(home: str, session: str, *, size: int) -> tuple[set[bytes], bytes]:
    """Return the hashes of a session and their key; nothing if there are none."""
    try:
        handle = os.open(os.path.join(home, FOLDER, session), _READ)
    except OSError:
        return set(), b""
    try:
        raw = os.read(handle, _MOST)
    finally:
        os.close(handle)
    key = read_key(os.path.join(home, KEY))
    return (
        {raw[at : at + size] for at in range(0, len(raw) - size + 1, size)} if key else set()
    ), key


def find_key(home: str) -> bytes:
    """Return the key, made if missing; empty if it cannot be made."""
    try:
        return make_key(os.path.join(home, KEY))
    except StoreError:
        return b""


def append_hashes(home: str, session: str, hashes: set[bytes]) -> None:
    """Add hashes to those of a session, as far as there is room; a memory nobody may write to stays as it is."""
    folder = os.path.join(home, FOLDER)
    try:
        if not os.path.isdir(folder):
            os.mkdir(folder, 0o700)
        handle = os.open(os.path.join(folder, session), _APPEND, 0o600)
    except OSError:
        return
    try:
        if os.fstat(handle).st_size < _MOST:
            os.write(handle, b"".join(sorted(hashes)))
    except OSError:
        return
    finally:
        os.close(handle)
