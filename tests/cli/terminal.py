"""A terminal on which a command is run and its questions are answered."""

import os
import pty
import subprocess
import sys


def answered(words: list[str], answers: str) -> tuple[int, str]:
    """Run a command on a terminal of its own and type the answers."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "twiceshy", *words], stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    os.write(ours, answers.encode())
    shown = b""
    while True:
        try:
            shown += os.read(ours, 65_536)
        except OSError:  # the terminal is closed when the command ends
            break
    os.close(ours)
    return process.wait(), shown.decode()
