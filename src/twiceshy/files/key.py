"""The device key that signs rules: 32 owner-only bytes, made once."""

from __future__ import annotations

import os
from stat import S_ISREG

from twiceshy.core.errors import StoreError

_LENGTH = 32
_WRITABLE_BY_OTHERS = 0o022


def read_key(path: str) -> bytes:
    """Return the key; empty if missing or unsafe."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        found = os.fstat(handle)
        ours = found.st_uid == os.geteuid() and not found.st_mode & _WRITABLE_BY_OTHERS
        if not (ours and S_ISREG(found.st_mode) and found.st_size == _LENGTH):
            return b""
        return os.read(handle, _LENGTH)
    except OSError:
        return b""
    finally:
        os.close(handle)


def make_key(path: str) -> bytes:
    """Return the key, made if missing; concurrent makers get the same key."""
    if not os.path.lexists(path):
        _create_key(path)
    key = read_key(path)
    if not key:
        raise StoreError(
            f"{path} is no key that can be relied on",
            hint="move it away; your rules then wait until you approve them: twiceshy review",
        )
    return key


def _create_key(path: str) -> None:
    """Create the key file, unless another process was first."""
    from twiceshy.files.replace import create_file  # noqa: PLC0415 - hooks only read the key

    try:
        create_file(path, os.urandom(_LENGTH), durable=True)
    except OSError as error:
        raise StoreError(
            f"the key for rules cannot be written: {error.strerror}",
            hint=f"see that {os.path.dirname(path)} can be written, and that there is room",
        ) from error
