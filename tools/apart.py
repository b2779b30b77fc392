"""Run a command in a process with nothing above it, and end with its exit code.

    python tools/apart.py COMMAND [ARGUMENT ...]

Commands below a coding agent count as the agent's. The tests act as people, whoever starts them.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys


def run_apart(words: list[str]) -> int:
    """Let an orphan run the command, and wait until it says how that ended."""
    told, tell = os.pipe()
    middle = os.fork()
    if middle == 0:
        if os.fork():
            os._exit(0)
        os.close(told)
        os.write(tell, f"{os.getpid()} ".encode())
        os._exit(_run_and_tell(words, tell))
    os.close(tell)
    os.waitpid(middle, 0)
    said = os.read(told, 64)
    orphan = int(said.split()[0])
    while not said.rstrip(b" ").count(b" "):
        try:
            more = os.read(told, 64)
        except KeyboardInterrupt:  # the terminal has told the orphan as well
            continue
        if not more:
            os.kill(orphan, signal.SIGTERM) if os.path.exists(f"/proc/{orphan}") else None
            return 1
        said += more
    return int(said.split()[1])


def _run_and_tell(words: list[str], tell: int) -> int:
    """Run the command behind a middle process that is gone; write its exit code into the pipe."""
    while os.getppid() != 1 and _is_middle_alive():
        signal.sigtimedwait([], 0.001)
    try:
        code = subprocess.call(words)
    except (KeyboardInterrupt, OSError):
        code = 130
    os.write(tell, f"{code} ".encode())
    return 0


_STARTER = os.getpid()


def _is_middle_alive() -> bool:
    """True while the parent is the process that the starter forked."""
    try:
        with open(f"/proc/{os.getppid()}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[1]) == _STARTER
    except OSError:
        return False


if __name__ == "__main__":
    raise SystemExit(run_apart(sys.argv[1:]))
