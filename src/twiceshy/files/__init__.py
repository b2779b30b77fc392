"""Small files: replaced atomically, locked, and edited in place."""

from __future__ import annotations

import os
from errno import EINVAL
from stat import S_ISREG


def open_plain(path: str, flags: int) -> int:
    """Open a plain file without waiting for a pipe; an ``opener`` for ``open``."""
    handle = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)
    if S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise OSError(EINVAL, "not a plain file", path)
