"""Rolling session log of a project in memory-keeper's memory.md format.

The log is a view and can be rendered again at any time.
"""

from __future__ import annotations

from itertools import islice

from twiceshy.core.moment import format_day, format_stamp
from twiceshy.core.text import escape_line
from twiceshy.project.episodes.archive import expand_archive
from twiceshy.project.episodes.facts import parse_episode_facts

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twiceshy.core.evidence import Episode

TAIL = 50  # lines that memory-keeper loads
_MAX_LENGTH = 200
_MAX_TITLE = 50


def render_log(episodes: Iterable[Episode]) -> str:
    """Render the subject of each session, oldest first."""
    sections = ("\n".join(("", *_render_section(one))) for one in _latest_by_session(episodes))
    return "".join(f"{section}\n" for section in sections)


def summarise_recent(episodes: Iterable[Episode], *, most: int, limit: int) -> str:
    """Summarise the last sessions in a line, latest first, within ``limit`` characters."""
    newest = reversed(_latest_by_session(episodes))
    told = (
        f"{_short_title(one)} ({format_day(one.ended_at)})" for one in newest if _short_title(one)
    )
    line = ""
    for one in islice(told, most):
        longer = f"{line}; {one}" if line else one
        if len(longer) > limit:
            break
        line = longer
    return line


def _short_title(episode: Episode) -> str:
    facts = parse_episode_facts(episode)
    return escape_line(facts.title or facts.text, limit=_MAX_TITLE)


def _latest_by_session(episodes: Iterable[Episode]) -> list[Episode]:
    """Return the latest episode of each session, in order of session end."""
    newest: dict[str, Episode] = {}
    entries = (entry for one in episodes for entry in expand_archive(one))
    # whose session is not known any more is archived, and so is the end of that session
    told = (entry for entry in entries if entry.session or entry.kind == "end")
    for entry in sorted(told, key=lambda one: (one.ended_at, one.id)):
        newest.pop(entry.session or entry.id, None)
        newest[entry.session or entry.id] = entry
    return list(newest.values())


def _render_section(episode: Episode) -> Iterator[str]:
    facts = parse_episode_facts(episode)
    yield f"## {format_stamp(episode.ended_at)[:16].replace('T', ' ')}"
    told = escape_line(facts.title or facts.text, limit=_MAX_LENGTH) or "-"
    work = escape_line(facts.doing, limit=_MAX_LENGTH)
    if work:
        told += f"{'' if told.endswith(('.', '!', '?', '。')) else '.'} It was about {work}."
    yield f"\\{told}" if told.startswith("#") else told
