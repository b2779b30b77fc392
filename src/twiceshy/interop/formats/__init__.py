"""Formats of other programs' files: a text is parsed into pieces that join to the same text.

A piece is prose, kept unchanged, or an item that we know how to store. A file is compared
item by item with our last version and the current notes, so a hand edit of one line changes
one note and loses nothing else.
"""

from __future__ import annotations

from twiceshy.core.scope import Scope
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from twiceshy.core.draft import Draft
    from twiceshy.core.evidence import Episode, Signal
    from twiceshy.core.note import Note

BOM = "\ufeff"


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
    subject: str = ""  # the name of its only note, if the file's name does not say it

    @property
    def scope(self) -> Scope:
        """Return the scope of the file's notes."""
        return Scope(self.project, self.skill)

    @property
    def stem(self) -> str:
        """Return the file name without folder and ending."""
        return self.name.replace("\\", "/").rpartition("/")[2].removesuffix(".md")


class FileFormat(Value):
    """A file format: how a text is parsed, and how the file is written from scratch.

    ``parse`` gets a text without byte order mark; the joined pieces are the text. ``render`` gets
    the notes, episodes or signals that the format holds. ``find_rewording`` returns the changes of
    an edited file to its episode, ``mend_file`` repairs a file after insertions or removals, and
    ``renew_item`` brings the lines of an item up to date that say more than its note holds.
    """

    name: str
    parse: Callable[[str, FileContext], Iterable[Piece]]
    render: Callable[[Sequence[Any], FileContext], str]
    find_rewording: Callable[[Episode, Episode, Episode], dict[str, object]] | None = None
    mend_file: Callable[[str], str] | None = None
    renew_item: Callable[[ParsedItem, Note], str] | None = None

    def parse_text(self, text: str, about: FileContext) -> tuple[Piece, ...]:
        """Parse a text into pieces; joined, they give the text."""
        bom = BOM if text.startswith(BOM) else ""
        return _merge_pieces((bom, *self.parse(text[len(bom) :], about)))

    def render_items(self, held: Sequence[Any], about: FileContext) -> tuple[Piece, ...]:
        """Render a file from scratch: headings as prose, an item per note."""
        return self.parse_text(self.render(held, about), about)


def join_pieces(pieces: Iterable[Piece]) -> str:
    """Join pieces to a text."""
    return "".join(piece if isinstance(piece, str) else piece.raw for piece in pieces)


def _merge_pieces(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Merge neighbouring prose, and make keys unique."""
    done: list[Piece] = []
    prose: list[str] = []
    counts: dict[str, int] = {}
    for piece in pieces:
        if isinstance(piece, str):
            prose.append(piece)
            continue
        done += [whole] if (whole := "".join(prose)) else []
        prose = []
        done.append(piece.but(key=_unique_key(piece.key, counts)))
    done += [whole] if (whole := "".join(prose)) else []
    return tuple(done)


def _unique_key(key: str, counts: dict[str, int]) -> str:
    count = counts.get(key, 0) + 1
    own = key if count == 1 else f"{key}#{count}"
    while count > 1 and own in counts:
        count += 1
        own = f"{key}#{count}"
    counts[key] = count
    counts.setdefault(own, 1)
    return own
