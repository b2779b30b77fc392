"""Count the tool uses of a project as memory-keeper did: a byte for each, so that none is lost and no file is rewritten.

A byte that is appended lands at an end of its own, however many processes append at once, and where it
landed is the count. There is no lock, and nothing else is read or written.
"""

from __future__ import annotations

import os

from twiceshy.core.prefilter_words import name_of
from twiceshy.recall.save_reminder_text import due, reminder

FOLDER = "keeper"  # in the memory home
_PLAINLY = os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)


def after_tool(home: str, project: str, interval: int) -> str:
    """Count one tool use, and return what an agent is told when it is time to save; most often nothing."""
    try:
        count = counted(home, project)
    except OSError:
        return ""  # where nothing can be written down, nobody is reminded
    return reminder(interval) if due(count, interval) else ""


def counted(home: str, project: str) -> int:
    """Count one tool use of a project, and return how many there were since the counter began."""
    for folder in (home, os.path.join(home, FOLDER)):
        os.makedirs(folder, mode=0o700, exist_ok=True)
    handle = os.open(
        _file(home, project), os.O_WRONLY | os.O_CREAT | os.O_APPEND | _PLAINLY, 0o600
    )
    try:
        os.write(handle, b".")
        return os.lseek(handle, 0, os.SEEK_CUR)
    finally:
        os.close(handle)


def begin_anew(home: str, project: str) -> None:
    """Let the counter of a project begin at nothing."""
    try:
        os.close(os.open(_file(home, project), os.O_WRONLY | os.O_TRUNC | _PLAINLY))
    except FileNotFoundError:
        return


def _file(home: str, project: str) -> str:
    return os.path.join(home, FOLDER, name_of(project.encode()))
