"""Match a hook and a command that belong to the same tool call.

A server, or a command run by an agent, does not know its session. The hook before the call
does, and sees the same arguments a moment earlier: it leaves a claim, and the command looks
for the claim.
"""

from __future__ import annotations

from twiceshy.core.prefilter_words import hash_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

SHELL = "shell/twiceshy"
_SERVER, _COMMAND = "twiceshy", "twiceshy "


def build_claim_from_payload(tool: str, arguments: Mapping[str, object], target: str) -> str:
    """Return the claim for a pending call of ours; empty for any other call."""
    if tool.startswith("mcp__") and _SERVER in tool:
        return build_claim(arguments)
    return SHELL if tool == "Bash" and _COMMAND in target else ""


def build_claim(arguments: Mapping[str, object]) -> str:
    """Return the claim for a call with these arguments, in any order."""
    return "tool/" + hash_name(_flatten_arguments(arguments).encode("utf-8", "replace"))


def _flatten_arguments(value: object) -> str:
    if isinstance(value, dict):
        inner = (f"{key!r}:{_flatten_arguments(value[key])}" for key in sorted(value, key=str))
        return "{" + ",".join(inner) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_flatten_arguments, value)) + "]"
    return repr(value)
