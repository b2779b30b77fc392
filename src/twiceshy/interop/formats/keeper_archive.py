"""memory-keeper's monthly archive: session files in sequence, separated by rules.

Each session as in its own file; the minute is held, the name is not.
"""

from __future__ import annotations

from twiceshy.interop.formats import join_pieces, keeper_session
from twiceshy.interop.formats.pieces import split_bom, split_lines

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.evidence import Episode
    from twiceshy.interop.formats import FileContext, Piece

NAME = "keeper_archive"
_RULE = "---"


def parse_text(text: str, about: FileContext) -> tuple[Piece, ...]:
    """Parse the sessions one by one."""
    own = about.but(name="")
    return split_bom(
        text,
        lambda rest: (piece for one in _split_parts(rest) for piece in _context_of_part(one, own)),
    )


def render_items(episodes: Sequence[Episode], about: FileContext) -> tuple[Piece, ...]:
    """Render sessions in given order."""
    pages = (
        join_pieces(keeper_session.render_items([one], about.but(name=""))) for one in episodes
    )
    return parse_text(f"\n{_RULE}\n\n".join(pages), about)


def _context_of_part(part: str, about: FileContext) -> tuple[Piece, ...]:
    return (part,) if part.strip() == _RULE else keeper_session.parse_text(part, about)


def _split_parts(text: str) -> Iterator[str]:
    """Yield the parts between rules, and the rules."""
    part: list[str] = []
    for line in split_lines(text):
        if line.strip() == _RULE:
            yield "".join(part)
            yield line
            part = []
        else:
            part.append(line)
    yield "".join(part)
