"""Leaving: what is known as files that another memory reads, each layout in a module of its own.

A layout is a module with ``files(held)``. It tells which notes each file holds, so that it can be said
which ones have no place there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from twiceshy.core.evidence import Episode, Signal
    from twiceshy.core.note import Note
    from twiceshy.core.session import Usage

# form → who reads it
FORMS = {
    "fireworks": "fireworks-skill-memory",
    "keeper": "memory-keeper",
    "engine": "memory-engine",
    "magic-context": "magic-context",
}
_LONGEST = 80


class Place(Value):
    """A project as a layout needs it: what it is called, and where it lay last."""

    id: str
    name: str
    root: str


class Held(Value):
    """What is exported, redacted; the notes in the order in which they should be read.

    ``shown`` are the ids of handoffs that a session has seen.
    """

    notes: Sequence[Note]
    episodes: Sequence[Episode]
    checkpoints: Sequence[Signal]
    usage: Sequence[Usage]
    places: Mapping[str, Place]
    shown: frozenset[str]
    now: int

    def place(self, project: str) -> Place:
        """Return a project; one that nobody knows is called by its id."""
        return self.places.get(project) or Place(project, project, "")

    def by_project(self) -> dict[str, Held]:
        """Return the notes and episodes of each project apart, in the order of their ids."""
        ids = {note.scope.project for note in self.notes} | {one.project for one in self.episodes}
        return {
            project: self.but(
                notes=[note for note in self.notes if note.scope.project == project],
                episodes=[one for one in self.episodes if one.project == project],
            )
            for project in sorted(ids)
        }


class File(Value):
    """A file of a layout: its path with ``/`` between parts, what it says, and of which notes."""

    path: str
    text: str
    notes: tuple[str, ...] = ()


def component(text: str, *, otherwise: str) -> str:
    """Return a name that is one part of a path everywhere, and never one that is hidden or climbs."""
    kept = "".join(c if c.isalnum() or c in "-_. " else "-" for c in text[:_LONGEST])
    return kept.strip(". ") or otherwise


def distinct(files: Iterator[File]) -> Iterator[File]:
    """Let no file take the place of another, also where case does not count."""
    taken: set[str] = set()
    for file in files:
        stem, dot, suffix = file.path.rpartition(".")
        path, number = file.path, 1
        while path.casefold() in taken:
            number += 1
            path = f"{stem}-{number}{dot}{suffix}"
        taken.add(path.casefold())
        yield file.but(path=path)


def ids(notes: Sequence[Note]) -> tuple[str, ...]:
    """Return the ids of notes."""
    return tuple(note.id for note in notes)
