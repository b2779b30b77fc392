"""Count tool uses of a project for the save reminder: one appended byte each.

An appended byte gets its own position, however many processes append at once; the position
is the count. No lock, no rewrite.
"""

from __future__ import annotations

import os

from twiceshy.core.prefilter_words import hash_name
from twiceshy.recall.save_reminder_text import is_reminder_due, render_farewell, render_reminder

FOLDER = "keeper"  # in the memory home
FEWEST = 5  # tool uses of a turn, as often as memory-keeper asked: a short answer is not held up
_PLAINLY = os.O_CLOEXEC | os.O_NONBLOCK | getattr(os, "O_NOFOLLOW", 0)


def count_and_remind(home: str, project: str, interval: int) -> str:
    """Count a tool use, and return the reminder when due; usually empty."""
    try:
        count = count_tool_use(home, project)
    except OSError:
        return ""  # where nothing can be written down, nobody is reminded
    return render_reminder(interval) if is_reminder_due(count, interval) else ""


def ask_at_turn_end(home: str, project: str, interval: int) -> str:
    """Return the steps of a final save if enough tool uses had no reminder; 0 stops the count."""
    try:
        count = os.stat(_counter_path(home, project)).st_size
        rest = count % interval if interval else 0
        if interval and rest < min(FEWEST, interval):
            return ""
        reset_counter(home, project)
    except OSError:
        return ""
    return render_farewell() if interval else ""


def count_tool_use(home: str, project: str) -> int:
    """Count a tool use, and return the count since the last reset."""
    for folder in (home, os.path.join(home, FOLDER)):
        os.makedirs(folder, mode=0o700, exist_ok=True)
    handle = os.open(
        _counter_path(home, project), os.O_WRONLY | os.O_CREAT | os.O_APPEND | _PLAINLY, 0o600
    )
    try:
        os.write(handle, b".")
        return os.lseek(handle, 0, os.SEEK_CUR)
    finally:
        os.close(handle)


def reset_counter(home: str, project: str) -> None:
    """Reset the counter of a project."""
    try:
        os.close(os.open(_counter_path(home, project), os.O_WRONLY | os.O_TRUNC | _PLAINLY))
    except FileNotFoundError:
        return


def _counter_path(home: str, project: str) -> str:
    return os.path.join(home, FOLDER, hash_name(project.encode()))
