"""Formats of other programs' files: a text is parsed into pieces that join to the same text.

A piece is prose, kept unchanged, or an item that we know how to store. A file is compared
item by item with our last version and the current notes, so a hand edit of one line changes
one note and loses nothing else.
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


class ParsedItem(Value):
    """An item of a file: its exact text, and its meaning.

    ``raw`` is every character, line ends included. ``key`` identifies the item in the file: an
    id written by the format, else its content. Exactly one of ``draft``, ``episode`` and
    ``signal`` is set. ``sightings`` and ``at`` come from the file, 0 if absent.
    """

    raw: str
    key: str
    draft: Draft | None = None
    episode: Episode | None = None
    signal: Signal | None = None
    sightings: int = 0
    at: int = 0


if TYPE_CHECKING:
    Piece = str | ParsedItem


class FileContext(Value):
    """Context missing in a file: project, skill, and reading time.

    ``called`` is the project's common name, for files that name the project.
    """

    project: str
    skill: str = ""
    now: int = 0
    name: str = ""  # of the file
    called: str = ""


class FileFormat(Protocol):
    """Interface of a file format; a module can implement it."""

    NAME: str

    def parse_text(self, text: str, about: FileContext) -> tuple[Piece, ...]:
        """Parse a text into pieces; joined, they give the text."""

    def render_items(self, notes: Sequence[Note], about: FileContext) -> tuple[Piece, ...]:
        """Render a file from scratch: headings as prose, an item per note."""


def join_pieces(pieces: Iterable[Piece]) -> str:
    """Join pieces to a text."""
    return "".join(piece if isinstance(piece, str) else piece.raw for piece in pieces)
