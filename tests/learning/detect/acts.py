"""Finished calls in few words, a minute apart, for tests of what detectors make of them."""

from itertools import count
from typing import Any

from twiceshy.learning.detect.mistake import mistake_of
from twiceshy.shell.grams import parts_of
from twiceshy.shell.tool_call import Act

_NUMBERS = count(1)
MINUTE = 60_000


def act(tool: str, *, error: str = "", **fields: Any) -> Act:
    """A call that worked, or failed with this text; what is no field of an act is an argument."""
    known = {name: fields.pop(name) for name in ("refusal", "agent", "at") if name in fields}
    number = next(_NUMBERS)
    made = Act(f"c{number}", tool, fields, number * MINUTE).but(**known)
    if not error:
        return made
    parts, line = parts_of(fields), "command" in fields
    told = mistake_of(made.family, parts, error, refusal=made.refusal, command=line)
    return made.but(mistake=told)


def ran(command: str, **fields: Any) -> Act:
    """A command that worked."""
    return act("Bash", command=command, **fields)


def failed(command: str, error: str = "Error: it broke", **fields: Any) -> Act:
    """A command that failed."""
    return act("Bash", command=command, error=error, **fields)


def edited(old: str = "one line", new: str = "another", *, path: str = "a.py", **more: Any) -> Act:
    """A piece of a file that was replaced."""
    return act("Edit", file_path=f"/home/u/shop/{path}", old_string=old, new_string=new, **more)
