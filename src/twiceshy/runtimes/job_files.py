"""Remove from a memory home what background jobs left there for the next job, when no client starts one any more."""

from __future__ import annotations

import os
from contextlib import suppress

from twiceshy.core.errors import StoreError
from twiceshy.files.lock import FileLock
from twiceshy.files.replace import remove_file

_QUEUES, _LOCK, _TURN, _PATTERNS = "requests", "lock", "turn", "patterns.cache"
_REQUESTS = (".turn", ".over")
_PATIENCE_S = 10.0


def remove_job_files(home: str) -> None:
    """Remove requests for learning and compiled patterns; the queue of a job at work stays.

    ``twiceshy distill --all`` learns from the sessions whose requests are removed.
    """
    folder = os.path.join(home, _QUEUES)
    for name in _list_names(folder):
        _remove_queue(os.path.join(folder, name))
    with suppress(OSError):
        remove_file(os.path.join(folder, _TURN))
        os.rmdir(folder)
    with suppress(OSError):
        remove_file(os.path.join(home, _PATTERNS))


def _remove_queue(queue: str) -> None:
    """Remove a queue, and nothing else that lies in its folder."""
    if os.path.islink(queue) or not os.path.isdir(queue):
        return
    lock = os.path.join(queue, _LOCK)
    with suppress(OSError, StoreError), FileLock(lock, patience=_PATIENCE_S) as is_free:
        if not is_free:
            return
        for name in _list_names(queue):
            if any(part in name for part in _REQUESTS):
                remove_file(os.path.join(queue, name))
        remove_file(lock)
        os.rmdir(queue)


def _list_names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
