"""Trust of a note, by the origin of its words, and whether they came from other projects."""

from __future__ import annotations

from twiceshy.core.scope import EVERYWHERE

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Literal

    from twiceshy.core.note import Note, NoteStatus, Source

    Origin = Literal["user", "command", "assistant", "output"]

# A command counts with its exit status: it was run, and it worked or it did not.
ORIGINS: dict[Origin, float] = {"user": 1.0, "command": 0.8, "assistant": 0.5, "output": 0.2}
SOURCES: dict[Source, float] = {
    "user": ORIGINS["user"],
    "detector": ORIGINS["command"],
    "agent": ORIGINS["assistant"],
    "historian": ORIGINS["assistant"],
    "distiller": ORIGINS["assistant"],
    "import": ORIGINS["assistant"],
}
# What a tool printed, a file said or a page showed may be quoted, but never becomes advice by itself.
INJECTABLE = 0.5


def first_status(source: Source, trust: float) -> NoteStatus:
    """Decide how a new note starts: people and agents are believed, machines on probation."""
    if trust < INJECTABLE:
        return "quarantined"
    return "active" if source in ("user", "agent", "import") else "candidate"


def has_travelled(note: Note) -> bool:
    """True for the global copy of what projects taught; a person may pin it, or move one there."""
    return (
        note.scope.project == EVERYWHERE
        and note.source in ("detector", "historian")
        and not (note.origin_project or note.pinned)
    )
