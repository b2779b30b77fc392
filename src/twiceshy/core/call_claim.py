"""Match a hook and a command that belong to the same tool call.

A server, or a command run by an agent, does not know its session. The hook before the call
does, and sees the same arguments a moment earlier: it leaves a claim, and the command looks
for the claim.
"""

from __future__ import annotations

from twiceshy.core.prefilter_words import name_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

SHELL = "shell/twiceshy"
_SERVER, _COMMAND = "twiceshy", "twiceshy "


def claim_of(tool: str, arguments: Mapping[str, object], target: str) -> str:
    """Return the claim for a pending call of ours; empty for any other call."""
    if tool.startswith("mcp__") and _SERVER in tool:
        return claim(arguments)
    return SHELL if tool == "Bash" and _COMMAND in target else ""


def claim(arguments: Mapping[str, object]) -> str:
    """Return the claim for a call with these arguments, in any order."""
    return "tool/" + name_of(_flat(arguments).encode("utf-8", "replace"))


def _flat(value: object) -> str:
    if isinstance(value, dict):
        inner = (f"{key!r}:{_flat(value[key])}" for key in sorted(value, key=str))
        return "{" + ",".join(inner) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_flat, value)) + "]"
    return repr(value)
