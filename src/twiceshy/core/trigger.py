"""When a note is about this very call: all its grams in one part of the call, and none that mend it.

A trigger is one line of a note: the tool, what sort of mistake it is about, then the grams; those that
must not be there have a mark before them. People may write one by hand, without the sort.
"""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

STATED = "stated"  # by a person: nobody has to prove it
FILES = "files"
# Tools that look for a file: what is not there for one is not there for the others.
_FILE_TOOLS = frozenset("Read Grep LS Edit MultiEdit NotebookRead NotebookEdit View".split())
_BETWEEN = " "
_ABSENT = "!"


class Trigger(Value):
    """A family of tools, the grams that must stand together, and those that must not be there at all."""

    tool: str
    grams: tuple[str, ...]
    absent: tuple[str, ...] = ()
    sort: str = STATED

    def written(self) -> str:
        """Return the trigger as one line, which is how a note keeps it; equal ones are written alike."""
        tool = self.tool if self.sort == STATED else f"{self.tool}/{self.sort}"
        without = (_ABSENT + gram for gram in sorted(self.absent))
        return _BETWEEN.join((tool, *sorted(self.grams), *without))

    def matches(self, tool: str, parts: Iterable[Collection[str]]) -> bool:
        """Tell whether a call of a family of tools is the one that this is about."""
        if tool != self.tool:
            return False
        parts = list(parts)
        if any(gram in part for part in parts for gram in self.absent):
            return False
        return any(all(gram in part for gram in self.grams) for part in parts)

    @property
    def needle(self) -> str:
        """Return the gram by which the trigger is found: flags first, then the longest."""
        return max(self.grams, key=lambda gram: (gram[:1] == "-", len(gram), gram))


def parsed(text: str) -> Trigger | None:
    """Read a trigger as it was written; None if a text is none."""
    named, *grams = text.split(_BETWEEN)
    tool, _, sort = named.partition("/")
    present = tuple(gram for gram in grams if gram and gram[0] != _ABSENT)
    absent = tuple(gram[1:] for gram in grams if gram[:1] == _ABSENT and len(gram) > 1)
    return Trigger(tool, present, absent, sort or STATED) if tool and present else None


def family(tool: str) -> str:
    """Return the name under which a tool's mistakes are kept."""
    return FILES if tool in _FILE_TOOLS else tool
