"""One finished call as detectors see it: what it was about, and what went wrong, if anything did."""

from __future__ import annotations

from twiceshy.core.trigger import family
from twiceshy.core.value import Value
from twiceshy.shell.grams import command_of, parts_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.learning.detect.mistake import Mistake
    from twiceshy.shell.grams import Part

EDITS = frozenset("Edit MultiEdit Write NotebookEdit".split())
_PATHS = ("file_path", "notebook_path", "filePath", "path", "absolute_path")


class Act(Value):
    """A call, and what came of it."""

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

    @property
    def family(self) -> str:
        """Return the name under which mistakes with this tool are kept."""
        return family(self.tool)

    @property
    def parts(self) -> list[Part]:
        """Return the grams of the call."""
        return parts_of(self.arguments)

    @property
    def path(self) -> str:
        """Return the file or folder that the call names, if it does."""
        named = (self.arguments.get(name) for name in _PATHS)
        return next((each for each in named if isinstance(each, str) and each), "")

    @property
    def command(self) -> str:
        """Return the command line, if the call has one."""
        return command_of(self.arguments)
