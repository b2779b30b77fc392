"""A finished tool call for detectors: target, and mistake if any."""

from __future__ import annotations

from twiceshy.core.trigger import tool_family
from twiceshy.core.value import Value
from twiceshy.shell.call_words import call_words, get_command_line

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.learning.detect.mistake import Mistake
    from twiceshy.shell.call_words import Part

EDITS = frozenset("Edit MultiEdit Write NotebookEdit".split())
_PATHS = ("file_path", "notebook_path", "filePath", "path", "absolute_path")


class ToolCall(Value):
    """A tool call with its outcome."""

    id: str
    tool: str
    arguments: Mapping[str, object]
    at: int
    mistake: Mistake | None = None
    refusal: str = ""
    agent: str = ""
    skill: str = ""
    place: str = ""  # the directory it was made in, as seen from the project's root
    beside: bool = False  # it was made before the one before it had come to its end
    ran_ms: int = 0  # from the call to its result, a person's permission included

    @property
    def family(self) -> str:
        """Return the tool family of the call."""
        return tool_family(self.tool)

    @property
    def parts(self) -> list[Part]:
        """Return the command words of the call."""
        return call_words(self.arguments)

    @property
    def path(self) -> str:
        """Return the file or folder of the call; empty if none."""
        named = (self.arguments.get(name) for name in _PATHS)
        return next((each for each in named if isinstance(each, str) and each), "")

    @property
    def command(self) -> str:
        """Return the command line of the call; empty if none."""
        return get_command_line(self.arguments)
