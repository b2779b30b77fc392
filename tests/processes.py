"""Background jobs that tests started: found by what they are, waited for, and ended by their number."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

_JOB = b"hooks/run.py\0learn\0"
_PROCESSES = Path("/proc")


def list_jobs(below: Path) -> list[int]:
    """Return the background jobs whose memory home lies below a folder."""
    home = b"\0TWICESHY_HOME=" + os.fsencode(below)
    return [
        int(place.name)
        for place in _PROCESSES.glob("[0-9]*")
        if _JOB in _read(place / "cmdline") and home in b"\0" + _read(place / "environ")
    ]


def wait_for_jobs(below: Path, *, seconds: float) -> list[int]:
    """Wait until the background jobs below a folder have ended; return those that have not."""
    until = time.monotonic() + seconds
    while (left := list_jobs(below)) and time.monotonic() < until:
        time.sleep(0.05)
    return left


def end_jobs(jobs: list[int]) -> None:
    """End background jobs that did not end by themselves."""
    for number in jobs:
        try:
            os.kill(number, signal.SIGKILL)
        except ProcessLookupError:
            continue


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""  # it has ended, or is somebody else's
