"""Taking turns: one process at a time does what must not be done twice at once."""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from types import TracebackType

_PAUSE = 0.05


class Turn:
    """A lock on a file; in a ``with`` it tells whether we have it. It ends with the process at the latest."""

    def __init__(self, path: str, patience: float) -> None:
        self._path = path
        self._patience = patience
        self._handle = -1

    def __enter__(self) -> bool:
        os.makedirs(os.path.dirname(self._path), mode=0o700, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
        self._handle = os.open(self._path, flags, 0o600)
        until = time.monotonic() + self._patience
        while not _locked(self._handle):
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


def _locked(handle: int) -> bool:
    try:
        import fcntl  # noqa: PLC0415 - Windows has none, and nobody there who would lock
    except ImportError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
