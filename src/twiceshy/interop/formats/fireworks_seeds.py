"""fireworks' error seeds: what tools printed when something failed, of a skill or of a session.

    --- error seed 2026-11-02T09:30:00 ---          in <skill>/.error_seeds
    --- [2026-11-02T09:30:00] tool=Bash ---         in error-seeds/<session>.txt

An item is such a line with the text below it. The file holds moment (to the second), tool and excerpt.
"""

from __future__ import annotations

import re

from twiceshy.core.evidence import Signal
from twiceshy.core.moment import format_stamp
from twiceshy.interop.formats import ParsedItem
from twiceshy.interop.formats.pieces import (
    parse_stamp_or_zero,
    split_bom,
    split_lines,
    stable_name,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.interop.formats import FileContext, Piece

NAME = "fireworks_seeds"
_HEAD = re.compile(
    r"--- (?:error seed ([\dT:.+Z-]{10,40})|\[([\dT:.+Z-]{10,40})\] tool=([^\n]{0,100}?)) ---"
)
_OF_SKILL = ".error_seeds"


def parse_text(text: str, about: FileContext) -> tuple[Piece, ...]:
    """Parse the seeds; a session's are named by the file."""
    return split_bom(
        text, lambda rest: (_build_piece(block, about) for block in _split_blocks(rest))
    )


def render_items(signals: Sequence[Signal], about: FileContext) -> tuple[Piece, ...]:
    """Render seeds for a skill, else for a session."""
    return parse_text("".join(_render_seed(signal, about) for signal in signals), about)


def _render_seed(signal: Signal, about: FileContext) -> str:
    when = format_stamp(signal.at)[:19]
    head = (
        f"error seed {when}" if about.skill else f"[{when}] tool={' '.join(signal.tool.split())}"
    )
    told = (f" {line}" if _HEAD.match(line) else line for line in signal.excerpt.split("\n"))
    return f"\n--- {head} ---\n" + "\n".join(told) + "\n"


def _split_blocks(text: str) -> Iterator[list[str]]:
    block: list[str] = []
    for line in split_lines(text):
        if _HEAD.fullmatch(line.rstrip()) and block:
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _build_piece(block: list[str], about: FileContext) -> Piece:
    raw = "".join(block)
    head = _HEAD.fullmatch(block[0].rstrip())
    excerpt = "".join(block[1:]).replace("\r\n", "\n").strip()
    if not head or not excerpt:
        return raw
    at = parse_stamp_or_zero((head[1] or head[2])[:19])
    tool = head[3] or ""
    key = f"seed:{stable_name(about.skill, about.name, str(at), tool, excerpt)}"
    signal = Signal(
        key=key,
        kind="error",
        session=_session_of_file(about) or key,  # the seed of a skill does not say whose it is
        project=about.project,
        at=at or about.now,
        skill=about.skill,
        tool=tool,
        excerpt=excerpt,
    )
    return ParsedItem(raw=raw, key=key, signal=signal, at=at)


def _session_of_file(about: FileContext) -> str:
    name = about.name.rpartition("/")[2]
    return "" if about.skill or name == _OF_SKILL else name.removesuffix(".txt")
