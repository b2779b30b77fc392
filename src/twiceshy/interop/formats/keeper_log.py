"""memory-keeper's memory.md: a rolling log of timed sections.

A section is an episode. Minute and summary (on a line) are held; requests, tools and files
are not.
"""

from __future__ import annotations

import re

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import stamp
from twiceshy.core.text import one_line
from twiceshy.interop.formats import Item
from twiceshy.interop.formats.pieces import cut, lines, stamp_at
from twiceshy.project.episodes.log import log_page
from twiceshy.project.episodes.told import episode_id

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.interop.formats import About, Piece

NAME = "keeper_log"
_HEAD = re.compile(r"##[ \t]+(\d{4}-\d\d-\d\d)[ _T](\d\d):?(\d\d)\b.*")
_TITLE = 120


def read(text: str, about: About) -> tuple[Piece, ...]:
    """Parse the sections; a section without a time is prose."""
    return cut(text, lambda rest: (piece for one in _sections(rest) for piece in _cut(one, about)))


def items(episodes: Sequence[Episode], about: About) -> tuple[Piece, ...]:
    """Render the log, oldest session first."""
    return read(log_page(episodes), about)


def _sections(text: str) -> Iterator[list[str]]:
    section: list[str] = []
    for line in lines(text):
        if line.startswith("#") and section:
            yield section
            section = []
        section.append(line)
    if section:
        yield section


def _cut(section: list[str], about: About) -> Iterator[Piece]:
    head = _HEAD.fullmatch(section[0].rstrip())
    at = stamp_at(f"{head[1]}T{head[2]}:{head[3]}") if head else 0
    said = [n for n, line in enumerate(section) if n and line.strip()]
    if not at or not said:
        yield "".join(section)
        return
    raw, rest = section[: said[-1] + 1], section[said[-1] + 1 :]
    text = "".join(_unescaped(line) for line in raw[1:]).replace("\r\n", "\n").strip()
    text = text.replace("&lt;", "<")
    when = stamp(at)[:16].replace("T", " ")
    episode = Episode(
        id=episode_id(f"log/{about.project}", f"{when}\x1f{text}"),
        kind="end",
        session="",
        project=about.project,
        started_at=at,
        ended_at=at,
        title=one_line(text, limit=_TITLE),
        summary=text,
    )
    yield Item(raw="".join(raw), key=when, episode=episode, at=at)
    yield "".join(rest)


def _unescaped(line: str) -> str:
    return line[1:] if line.startswith("\\#") else line
