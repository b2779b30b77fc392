"""fireworks' CHECKPOINTS.md: dated remarks, one bullet each.

The file holds skill, time (to the second) and text on a line. The session is not held.
"""

from __future__ import annotations

import re

from twiceshy.interop import checkpoints
from twiceshy.interop.formats import Item
from twiceshy.interop.formats.pieces import cut, lines, mark, marked, one_name, stamp_at

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.evidence import Signal
    from twiceshy.interop.formats import About, Piece

NAME = "fireworks_checkpoints"
_CHECKPOINT = re.compile(
    r"- \[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\] (?=\S)([^\n]*?)(?:  \[n[0-9a-z]{4}\])?"
)
_KEY = "checkpoint:"


def read(text: str, about: About) -> tuple[Piece, ...]:
    """Parse the checkpoints of a skill, each with a stable name."""
    return cut(text, lambda rest: (_piece(line, about) for line in lines(rest)))


def items(signals: Sequence[Signal], about: About) -> tuple[Piece, ...]:
    """Render the file from signals; a flushed checkpoint names its note."""
    return read("".join(_written(signals, about)), about)


def _written(signals: Sequence[Signal], about: About) -> Iterator[str]:
    yield checkpoints.rendered(about.skill, ())
    for signal in signals:
        *_, line, _ = checkpoints.rendered(about.skill, [signal]).split("\n")
        yield f"{line}{mark(signal.key)}\n"


def _piece(line: str, about: About) -> Piece:
    bare, name = marked(line)
    found = _CHECKPOINT.fullmatch(bare.rstrip())
    at = stamp_at(found[1]) if found else 0
    text = found[2].strip().replace("&lt;", "<") if found else ""
    if not at or not text:
        return line
    own = name.removeprefix(_KEY) or one_name(about.skill, str(at), text)
    signal = checkpoints.checkpoint(text, skill=about.skill, name=own, at=at)
    return Item(raw=line, key=signal.key, signal=signal, at=at)
