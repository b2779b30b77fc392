"""fireworks' CHECKPOINTS.md: dated remarks, one bullet each.

The file holds skill, time (to the second) and text on a line. The session is not held.
"""

from __future__ import annotations

import re

from twiceshy.interop import checkpoints
from twiceshy.interop.formats import ParsedItem
from twiceshy.interop.formats.pieces import (
    parse_stamp_or_zero,
    render_mark,
    split_bom,
    split_lines,
    split_mark,
    stable_name,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.evidence import Signal
    from twiceshy.interop.formats import FileContext, Piece

NAME = "fireworks_checkpoints"
_CHECKPOINT = re.compile(
    r"- \[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\] (?=\S)([^\n]*?)(?:  \[n[0-9a-z]{4}\])?"
)
_KEY = "checkpoint:"


def parse_text(text: str, about: FileContext) -> tuple[Piece, ...]:
    """Parse the checkpoints of a skill, each with a stable name."""
    return split_bom(text, lambda rest: (_build_piece(line, about) for line in split_lines(rest)))


def render_items(signals: Sequence[Signal], about: FileContext) -> tuple[Piece, ...]:
    """Render the file from signals; a flushed checkpoint names its note."""
    return parse_text("".join(_render_signal(signals, about)), about)


def _render_signal(signals: Sequence[Signal], about: FileContext) -> Iterator[str]:
    yield checkpoints.render_checkpoints(about.skill, ())
    for signal in signals:
        *_, line, _ = checkpoints.render_checkpoints(about.skill, [signal]).split("\n")
        yield f"{line}{render_mark(signal.key)}\n"


def _build_piece(line: str, about: FileContext) -> Piece:
    bare, name = split_mark(line)
    found = _CHECKPOINT.fullmatch(bare.rstrip())
    at = parse_stamp_or_zero(found[1]) if found else 0
    text = found[2].strip().replace("&lt;", "<") if found else ""
    if not at or not text:
        return line
    own = name.removeprefix(_KEY) or stable_name(about.skill, str(at), text)
    signal = checkpoints.build_checkpoint(text, skill=about.skill, name=own, at=at)
    return ParsedItem(raw=line, key=signal.key, signal=signal, at=at)
