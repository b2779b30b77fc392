"""Export notes to layouts of other programs, a module per layout.

A layout is a module with ``render_files(held)``. Each file lists its notes, so that notes
without a place can be counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from twiceshy.core.evidence import Episode, Signal
from twiceshy.core.note import Note
from twiceshy.core.session import SkillUsage
from twiceshy.core.value import Value
from twiceshy.places.identity import Identity

# form → who reads it
FORMS = {
    "fireworks": "fireworks-skill-memory",
    "keeper": "memory-keeper",
    "engine": "memory-engine",
    "magic-context": "magic-context",
}
_LONGEST = 80


class ExportedContent(Value):
    """Redacted content of an export, notes in reading order.

    ``shown`` are ids of handoffs seen by a session.
    """

    notes: Sequence[Note]
    episodes: Sequence[Episode]
    checkpoints: Sequence[Signal]
    usage: Sequence[SkillUsage]
    places: Mapping[str, Identity]
    shown: frozenset[str]
    now: int
    kept: Mapping[str, str] = {}  # files that an import found, by path
    held: int = 0  # of the notes and episodes, marked: agents here are not told them
    marked: frozenset[str] = frozenset()  # their ids
    kept_back: int = 0  # of these, what an agent asked for, and did not get

    def find_project(self, project: str) -> Identity:
        """Return a project; an unknown project is named by its id."""
        return self.places.get(project) or Identity(project, project, "")

    def split_by_project(self) -> dict[str, ExportedContent]:
        """Split notes and episodes by project, in id order."""
        ids = {note.scope.project for note in self.notes} | {one.project for one in self.episodes}
        return {
            project: self.but(
                notes=[note for note in self.notes if note.scope.project == project],
                episodes=[one for one in self.episodes if one.project == project],
            )
            for project in sorted(ids)
        }


class ExportedFile(Value):
    """An exported file: path with ``/``, text, and its notes."""

    path: str
    text: str
    notes: tuple[str, ...] = ()


def safe_component(text: str, *, otherwise: str) -> str:
    """Return a safe path component, never hidden or climbing."""
    kept = "".join(c if c.isalnum() or c in "-_. " else "-" for c in text[:_LONGEST])
    return kept.strip(". ") or otherwise


def make_distinct(files: Iterator[ExportedFile]) -> Iterator[ExportedFile]:
    """Make file paths distinct, ignoring case."""
    taken: set[str] = set()
    for file in files:
        stem, dot, suffix = file.path.rpartition(".")
        path, number = file.path, 1
        while path.casefold() in taken:
            number += 1
            path = f"{stem}-{number}{dot}{suffix}"
        taken.add(path.casefold())
        yield file.but(path=path)


def list_ids(notes: Sequence[Note]) -> tuple[str, ...]:
    """Return the ids of notes."""
    return tuple(note.id for note in notes)
