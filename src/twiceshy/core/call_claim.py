"""By what a hook and a command know that they are about the same call: the hook says which session makes it.

A server, or a command that an agent runs, is not told in which session it is called. The hook before the
call is, and sees the same arguments a moment earlier.
"""

from __future__ import annotations

from twiceshy.core.prefilter_words import name_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

SHELL = "shell/twiceshy"
_SERVER, _COMMAND = "twiceshy", "twiceshy "


def claim_of(tool: str, arguments: Mapping[str, object], target: str) -> str:
    """Return what a pending call of ours is known by; nothing if it is none."""
    if tool.startswith("mcp__") and _SERVER in tool:
        return claim(arguments)
    return SHELL if tool == "Bash" and _COMMAND in target else ""


def claim(arguments: Mapping[str, object]) -> str:
    """Return what a call with these arguments is known by, whatever their order."""
    return "tool/" + name_of(_flat(arguments).encode("utf-8", "replace"))


def _flat(value: object) -> str:
    if isinstance(value, dict):
        inner = (f"{key!r}:{_flat(value[key])}" for key in sorted(value, key=str))
        return "{" + ",".join(inner) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_flat, value)) + "]"
    return repr(value)
