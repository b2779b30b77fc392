"""Finished calls in few words, a minute apart, for tests of what detectors make of them."""

from itertools import count
from typing import Any

from twiceshy.learning.detect.mistake import classify_mistake
from twiceshy.shell.call_words import call_words
from twiceshy.shell.tool_call import ToolCall

_NUMBERS = count(1)
MINUTE = 60_000


def act(tool: str, *, error: str = "", **fields: Any) -> ToolCall:
    """A call that worked, or failed with this text; what is no field of an act is an argument."""
    known = {name: fields.pop(name) for name in ("refusal", "agent", "at") if name in fields}
    number = next(_NUMBERS)
    made = ToolCall(f"c{number}", tool, fields, number * MINUTE).but(**known)
    if not error:
        return made
    parts, line = call_words(fields), "command" in fields
    told = classify_mistake(made.family, parts, error, refusal=made.refusal, command=line)
    return made.but(mistake=told)


def ran(command: str, **fields: Any) -> ToolCall:
    """A command that worked."""
    return act("Bash", command=command, **fields)


def failed(command: str, error: str = "Error: it broke", **fields: Any) -> ToolCall:
    """A command that failed."""
    return act("Bash", command=command, error=error, **fields)


def edited(
    old: str = "one line", new: str = "another", *, path: str = "a.py", **more: Any
) -> ToolCall:
    """A piece of a file that was replaced."""
    return act("Edit", file_path=f"/home/u/shop/{path}", old_string=old, new_string=new, **more)
