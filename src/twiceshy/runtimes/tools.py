"""What runtimes call the same tools: a mistake made with one runtime's shell is known in all others.

Our names are Claude Code's. A tool that a runtime does not bring along is a foreign one, whatever the
runtime makes of its name: ``mcp__server__tool`` is how we write it.
"""

from __future__ import annotations

from twiceshy.core.event import FOREIGN
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping


class Tool(Value):
    """Our name of a tool, and our names of those of its arguments that are called otherwise."""

    name: str
    arguments: Mapping[str, str] = {}


class Tools(Value):
    """The tools that a runtime brings along by its names, and how its names of all others begin.

    With no such beginning every other tool is foreign.
    """

    own: Mapping[str, Tool] = {}
    foreign: str = FOREIGN

    def name(self, tool: str) -> str:
        """Return our name of a tool."""
        if known := self.own.get(tool):
            return known.name
        if tool.startswith(FOREIGN) or not tool.startswith(self.foreign):
            return tool
        server, between, rest = tool[len(self.foreign) :].partition("_")
        return f"{FOREIGN}{server}__{rest}" if between and server else tool

    def arguments(self, tool: str, given: Mapping[str, object]) -> Mapping[str, object]:
        """Return a call's arguments by our names."""
        known = self.own.get(tool)
        if not known or not known.arguments:
            return given
        return {known.arguments.get(name, name): value for name, value in given.items()}
