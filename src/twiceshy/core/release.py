"""Versions: which of two is newer, what may be taken for one, and how people are told.

What an index answers is believed only as far as it is a version: a few numbers with dots between them.
"""

from __future__ import annotations

_LONGEST = 32
_MOST_NUMBERS = 5


def numbers(version: str) -> tuple[int, ...]:
    """Return the numbers of a released version; nothing for a trial of one, or for anything else."""
    parts = version.split(".")
    if len(version) > _LONGEST or len(parts) > _MOST_NUMBERS:
        return ()
    if not all(part.isascii() and part.isdecimal() for part in parts):
        return ()
    return tuple(map(int, parts))


def newer(version: str, current: str) -> bool:
    """Tell whether a released version is newer than the one that runs, which may be a trial."""
    known = current.partition("+")[0]
    while known and not numbers(known):
        known = known[:-1].rstrip(".")  # 1.2.0rc1 and 1.2.0.dev3 come before 1.2.0
    trial = known != current.partition("+")[0]
    one, other = _bare(numbers(version)), _bare(numbers(known))
    return bool(numbers(version)) and (one > other or (trial and one == other))


def notice(version: str, current: str) -> str:
    """Return the line that tells people of a newer version; nothing if it is none."""
    if not newer(version, current):
        return ""
    return (
        f"twiceshy {version} is released; this is {current}. Upgrade it the way you installed it;"
        " to be told no more: twiceshy config set update.check false"
    )


def _bare(found: tuple[int, ...]) -> tuple[int, ...]:
    """Leave out the zeros at the end: 1.2 is 1.2.0."""
    while found and not found[-1]:
        found = found[:-1]
    return found
