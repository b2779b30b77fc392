"""Decide by who printed it: a program at work, one whose success is known, or one that only reads."""

from __future__ import annotations

from twiceshy.core.patterns import pattern
from twiceshy.shell.failure import signs
from twiceshy.shell.failure.shell import parts

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.shell.failure.shell import Part

_ENOUGH = 5
_MOST = 60_000  # characters from the end; Claude Code keeps half of that
_TESTING = ("test", "spec")
_COLOURS = r"\x1b\[[0-9;?]*[A-Za-z]"


def telling_lines(command: str, output: str) -> list[str]:
    """Return up to five lines that tell of a failure; none if the command did well, or only read."""
    lines = _printed(output[-_MOST:])
    everything = parts(command)
    unseen = [part for part in everything if part.hidden]
    if any(not part.reads for part in unseen):
        return _chosen(_of_unseen(lines, everything, asked="$?" in command))
    if any(not part.reads for part in everything):
        return _chosen(_of_seen(lines))
    return _chosen(_of_readers(lines, unseen))


def _of_unseen(lines: Sequence[str], everything: Iterable[Part], *, asked: bool) -> list[str]:
    """Return what tells of failure where the status of a program at work is unknown."""
    found = [*signs.findings(lines), *(signs.echoed(lines) if asked else ())]
    working = [part.words for part in everything if not part.reads]
    testing = any(sign in word for words in working for word in words for sign in _TESTING)
    if found or testing or signs.clean(lines):
        return found
    return list(signs.complaints(lines))


def _of_seen(lines: Sequence[str]) -> list[str]:
    """Return what contradicts the status: wrappers lose the one of the program that they start."""
    return [] if signs.clean(lines) else list(signs.verdicts(lines))


def _of_readers(lines: Sequence[str], unseen: Iterable[Part]) -> list[str]:
    """Return what readers say in their own name; with ``ls`` one asks whether there is a file."""
    programs = {part.program for part in unseen} - {"", "ls"}
    return list(signs.own(lines, programs)) if programs else []


def _printed(output: str) -> list[str]:
    """Return the lines as a terminal shows them, without colours."""
    if "\x1b" in output:
        output = pattern(_COLOURS).sub("", output)
    return [line.rstrip() for line in output.splitlines()]


def _chosen(lines: Iterable[str]) -> list[str]:
    """Return a few different lines; one of a single word only if there is nothing else."""
    once = list(dict.fromkeys(lines))
    return ([line for line in once if len(line.split()) > 1] or once)[:_ENOUGH]
