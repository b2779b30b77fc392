"""Compare two calls of a tool by the names, types and values of their arguments."""

from __future__ import annotations

import re

from twiceshy.core.trigger import FILES
from twiceshy.shell.call_words import name_argument

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.shell.tool_call import ToolCall

SIMILAR = 0.5
_LONGEST_VALUE = 60
_SHORTEST_ARGUMENT = 4  # letters of an argument's name by which an error may name it


def score_arguments(failed: ToolCall, act: ToolCall) -> float:
    """Compare calls by arguments: a changed name, similar or blamed by the error.

    Of several calls, the one that shares most of the other arguments was meant.
    """
    line = failed.mistake.line if failed.mistake else ""
    best = float(is_renamed(failed, act))
    for name, value in failed.arguments.items():
        new = act.arguments.get(name)
        if not isinstance(value, str) or not isinstance(new, str) or value == new:
            continue
        if len(name) >= _SHORTEST_ARGUMENT and name in line:
            best = 1.0
        elif _is_name(value) and _is_name(new):
            best = max(
                best, 1.0 if value in new or new in value else measure_similarity(value, new)
            )
    kept = sum(act.arguments.get(name) == value for name, value in failed.arguments.items())
    return best + kept / len(failed.arguments) if best >= SIMILAR else 0.0


def list_other_arguments(failed: ToolCall, act: ToolCall) -> tuple[list[str], list[str]]:
    """Return the names of arguments, with their types, that only one of two calls has."""
    one, other = (
        [name_argument(*argument) for argument in call.arguments.items()] for call in (failed, act)
    )
    return [name for name in one if name not in other], [name for name in other if name not in one]


def is_renamed(failed: ToolCall, act: ToolCall) -> bool:
    """True if a call of the same tool has other argument names or types, as the error asks for.

    The error names one of them, or a new name has the value of an old one. Tools for files share
    their mistakes, but not their arguments.
    """
    mistake = failed.mistake
    if failed.tool != act.tool or mistake is None or mistake.category != "usage":
        return False
    if failed.command or failed.family == FILES:
        return False
    gone, new = list_other_arguments(failed, act)
    kept = [value for name in gone if (value := failed.arguments[name[:-1]])]
    moved = any(act.arguments[name[:-1]] in kept for name in new)
    named = any(re.search(rf"\b{re.escape(name[:-1])}\b", mistake.line) for name in (*gone, *new))
    return bool(gone or new) and (moved or named)


def _is_name(value: str) -> bool:
    """True if a value is a name; texts, addresses and lists differ each time."""
    plain = " " not in value and "://" not in value and value[:1] not in "[{"
    return plain and 0 < len(value) <= _LONGEST_VALUE


def measure_similarity(one: str, other: str) -> float:
    """Return the similarity of two names: the share of common letter pairs."""
    if one == other:
        return 1.0
    pairs = [
        {name[at : at + 2] for at in range(len(name) - 1)} for name in (one.lower(), other.lower())
    ]
    together = len(pairs[0]) + len(pairs[1])
    return 2 * len(pairs[0] & pairs[1]) / together if together else 0.0
