"""A call as one short line that a person can read: what it does, not where it is done or who looks on."""

from __future__ import annotations

import re

from twiceshy.core.text import clean
from twiceshy.core.trigger import FILES

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.shell.tool_call import Act

_LONGEST = 110
_LONGEST_TEXT = 42
_MOST = 2_000  # characters of a command that are looked at
_GAP = "…"
# Where output goes, and what only cuts it; the second is looked for from the end.
_REDIRECTED = re.compile(r"(?:^|(?<=\s))(?:\d?>&\d|&>>?\s*\S+|\d?>>?\s*\S+)")
_CUT = re.compile(r"\|\s*(?:tail|head|wc|sort|uniq)\b[^|;&]*")
_MOVED = re.compile(r"\s*cd\s+\S+\s*(?:&&|;)\s*")


def form(act: Act, root: str = "") -> str:
    """Return the line; ``root`` is the project's folder, from which paths are seen."""
    if act.command:
        command = _without_texts(act.command.strip()[:_MOST].partition("<<")[0])
        moved = _MOVED.match(command)
        line = _CUT.sub("", _REDIRECTED.sub("", command[moved.end() :] if moved else command))
    elif act.family == FILES and act.path:
        line = f"{act.tool} {act.path}"
    else:
        line = " ".join([act.tool, *(gram for part in act.parts for gram in part)])
    seen = clean("".join(char if char.isprintable() else " " for char in line))
    short = shortened(relative(" ".join(seen.split()), root).replace("`", "'"), _LONGEST)
    return clean(short)  # an emoji may have been cut in half


def relative(line: str, root: str) -> str:
    """Return a line in which paths are seen from the root of the project."""
    return line.replace(f"{root}/", "").replace(root, ".") if len(root) > 1 else line


def shortened(line: str, limit: int) -> str:
    """Return whole words of the beginning, as many as fit."""
    if len(line) <= limit:
        return line
    end = line.rfind(" ", 0, limit)
    return line[: end if end > 0 else limit - 1].rstrip() + _GAP


def _without_texts(command: str) -> str:
    """Leave out what is quoted and long: it is meant for people, and for that one time."""
    kept: list[str] = []
    at = 0
    while at < len(command):
        quote = command[at]
        if quote not in "'\"":
            kept.append(quote)
            at += 1
            continue
        end = command.find(quote, at + 1)
        inside = command[at : len(command) if end < 0 else end + 1]
        long = len(inside) > _LONGEST_TEXT or "\n" in inside
        kept.append(f'"{_GAP}"' if long else inside)
        at += len(inside)
    return "".join(kept)
