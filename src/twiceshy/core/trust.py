"""Trust of a note, by the origin of its words."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Literal

    from twiceshy.core.note import NoteStatus, Source

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
