"""Files of other programs: a format reads a text into pieces, and the pieces put together are the text again.

A piece is prose, which is kept as it is, or an item: something that we know how to keep. What a file
says is compared item by item with what we wrote there and what we know now, so a hand that edited one
line changes one note and loses nothing else.
"""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Protocol

    from twiceshy.core.draft import Draft
    from twiceshy.core.evidence import Episode, Signal
    from twiceshy.core.note import Note
else:
    Protocol = object


class Item(Value):
    """One thing that a file says: how it stands there, and what that means to us.

    ``raw`` is every character of it, line ends included. ``key`` tells it from the other items of the
    file: an id that the format writes down, else what it says. Exactly one of ``draft``, ``episode``
    and ``signal`` is set. ``sightings`` and ``at`` are what the file tells of them, 0 if nothing.
    """

    raw: str
    key: str
    draft: Draft | None = None
    episode: Episode | None = None
    signal: Signal | None = None
    sightings: int = 0
    at: int = 0


if TYPE_CHECKING:
    Piece = str | Item


class About(Value):
    """What a file is about that it does not say itself: which project, which skill, and when it was read.

    ``called`` is how people call the project, for files that name it.
    """

    project: str
    skill: str = ""
    now: int = 0
    name: str = ""  # of the file
    called: str = ""


class Format(Protocol):
    """How one kind of file is read, and how an item of ours is written in it; a module can be one."""

    NAME: str

    def read(self, text: str, about: About) -> tuple[Piece, ...]:
        """Take a text apart; ``joined`` of that is the text, whatever it is."""

    def items(self, notes: Sequence[Note], about: About) -> tuple[Piece, ...]:
        """Write a file anew from what is known: headings as prose, and an item for each note."""


def joined(pieces: Iterable[Piece]) -> str:
    """Put a text together again."""
    return "".join(piece if isinstance(piece, str) else piece.raw for piece in pieces)
