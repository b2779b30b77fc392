"""memory-keeper's memory.md: a rolling log of timed sections.

A section is an episode. Minute and summary (on a line) are held; requests, tools and files
are not.
"""

from __future__ import annotations

import re

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import format_stamp
from twiceshy.core.text import fold_to_line
from twiceshy.interop.formats import ParsedItem
from twiceshy.interop.formats.pieces import parse_stamp_or_zero, split_bom, split_lines
from twiceshy.project.episodes.archive import render_log
from twiceshy.project.episodes.facts import episode_id

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.interop.formats import FileContext, Piece

NAME = "keeper_log"
_HEAD = re.compile(r"##[ \t]+(\d{4}-\d\d-\d\d)[ _T](\d\d):?(\d\d)\b.*")
_TITLE = 120


def parse_text(text: str, about: FileContext) -> tuple[Piece, ...]:
    """Parse the sections; a section without a time is prose."""
    return split_bom(
        text,
        lambda rest: (
            piece for one in _split_sections(rest) for piece in _cut_section(one, about)
        ),
    )


def render_items(episodes: Sequence[Episode], about: FileContext) -> tuple[Piece, ...]:
    """Render the log, oldest session first."""
    return parse_text(render_log(episodes), about)


def _split_sections(text: str) -> Iterator[list[str]]:
    section: list[str] = []
    for line in split_lines(text):
        if line.startswith("#") and section:
            yield section
            section = []
        section.append(line)
    if section:
        yield section


def _cut_section(section: list[str], about: FileContext) -> Iterator[Piece]:
    head = _HEAD.fullmatch(section[0].rstrip())
    at = parse_stamp_or_zero(f"{head[1]}T{head[2]}:{head[3]}") if head else 0
    said = [n for n, line in enumerate(section) if n and line.strip()]
    if not at or not said:
        yield "".join(section)
        return
    raw, rest = section[: said[-1] + 1], section[said[-1] + 1 :]
    text = "".join(_unescape_line(line) for line in raw[1:]).replace("\r\n", "\n").strip()
    text = text.replace("&lt;", "<")
    when = format_stamp(at)[:16].replace("T", " ")
    episode = Episode(
        id=episode_id(f"log/{about.project}", f"{when}\x1f{text}"),
        kind="end",
        session="",
        project=about.project,
        started_at=at,
        ended_at=at,
        title=fold_to_line(text, limit=_TITLE),
        summary=text,
    )
    yield ParsedItem(raw="".join(raw), key=when, episode=episode, at=at)
    yield "".join(rest)


def _unescape_line(line: str) -> str:
    return line[1:] if line.startswith("\\#") else line
