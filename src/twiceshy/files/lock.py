"""Lock for one process at a time."""

from __future__ import annotations

import os
import time
from errno import EACCES, EPERM, EROFS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from types import TracebackType

_PAUSE = 0.05


class FileLock:
    """A lock on a file or folder; its ``with`` yields whether the lock was free in time.

    ``patience`` is the waiting time in seconds; None waits forever. The system releases the lock
    when the process ends. A lock file that may not be written is a StoreError.
    """

    def __init__(self, path: str, patience: float | None = None) -> None:
        self._path = path
        self._patience = patience
        self._handle = -1

    def __enter__(self) -> bool:
        if os.path.isdir(self._path):
            self._handle = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        else:
            self._handle = _open_lock_file(self._path)
        if self._patience is None:
            return _try_lock(self._handle, wait=True)
        until = time.monotonic() + self._patience
        while not _try_lock(self._handle):
            if time.monotonic() >= until:
                return False
            time.sleep(_PAUSE)
        return True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._handle)


def _open_lock_file(path: str) -> int:
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        if error.errno not in (EACCES, EPERM, EROFS):
            raise
        from twiceshy.core.errors import StoreError  # noqa: PLC0415 - most locks can be taken

        raise StoreError(
            f"cannot write to {path}: {error.strerror}",
            hint="check the owner and mode of the folder, or set TWICESHY_HOME",
        ) from error


def _try_lock(handle: int, *, wait: bool = False) -> bool:
    try:
        import fcntl  # noqa: PLC0415 - Windows has none, and nobody there who would lock
    except ImportError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        if wait:
            raise
        return False
    return True
