"""memory-keeper's monthly archive: session files in sequence, separated by rules.

Each session as in its own file; the minute is held, the name is not.
"""

from __future__ import annotations

from twiceshy.interop.formats import joined, keeper_session
from twiceshy.interop.formats.pieces import cut, lines

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.evidence import Episode
    from twiceshy.interop.formats import About, Piece

NAME = "keeper_archive"
_RULE = "---"


def read(text: str, about: About) -> tuple[Piece, ...]:
    """Parse the sessions one by one."""
    own = about.but(name="")
    return cut(text, lambda rest: (piece for one in _parts(rest) for piece in _of(one, own)))


def items(episodes: Sequence[Episode], about: About) -> tuple[Piece, ...]:
    """Render sessions in given order."""
    pages = (joined(keeper_session.items([one], about.but(name=""))) for one in episodes)
    return read(f"\n{_RULE}\n\n".join(pages), about)


def _of(part: str, about: About) -> tuple[Piece, ...]:
    return (part,) if part.strip() == _RULE else keeper_session.read(part, about)


def _parts(text: str) -> Iterator[str]:
    """Yield the parts between rules, and the rules."""
    part: list[str] = []
    for line in lines(text):
        if line.strip() == _RULE:
            yield "".join(part)
            yield line
            part = []
        else:
            part.append(line)
    yield "".join(part)
