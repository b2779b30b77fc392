"""Rolling session log of a project in memory-keeper's memory.md format.

The log is a view and can be rendered again at any time.
"""

from __future__ import annotations

from itertools import islice

from twiceshy.core.moment import day, stamp
from twiceshy.core.text import escape
from twiceshy.project.episodes.archive import entries_of
from twiceshy.project.episodes.facts import facts_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twiceshy.core.evidence import Episode

TAIL = 50  # lines that memory-keeper loads
_LONGEST = 200
_SHORT = 50


def log_page(episodes: Iterable[Episode]) -> str:
    """Render the subject of each session, oldest first."""
    sections = ("\n".join(("", *_section(one))) for one in _sessions(episodes))
    return "".join(f"{section}\n" for section in sections)


def lately(episodes: Iterable[Episode], *, most: int, limit: int) -> str:
    """Summarise the last sessions in a line, latest first, within ``limit`` characters."""
    newest = reversed(_sessions(episodes))
    told = (f"{_title(one)} ({day(one.ended_at)})" for one in newest if _title(one))
    line = ""
    for one in islice(told, most):
        longer = f"{line}; {one}" if line else one
        if len(longer) > limit:
            break
        line = longer
    return line


def _title(episode: Episode) -> str:
    facts = facts_of(episode)
    return escape(facts.title or facts.text, limit=_SHORT)


def _sessions(episodes: Iterable[Episode]) -> list[Episode]:
    """Return the latest episode of each session, in order of session end."""
    newest: dict[str, Episode] = {}
    entries = (entry for one in episodes for entry in entries_of(one))
    # whose session is not known any more is archived, and so is the end of that session
    told = (entry for entry in entries if entry.session or entry.kind == "end")
    for entry in sorted(told, key=lambda one: (one.ended_at, one.id)):
        newest.pop(entry.session or entry.id, None)
        newest[entry.session or entry.id] = entry
    return list(newest.values())


def _section(episode: Episode) -> Iterator[str]:
    facts = facts_of(episode)
    yield f"## {stamp(episode.ended_at)[:16].replace('T', ' ')}"
    told = escape(facts.title or facts.text, limit=_LONGEST) or "-"
    work = escape(facts.doing, limit=_LONGEST)
    if work:
        told += f"{'' if told.endswith(('.', '!', '?', '。')) else '.'} It was about {work}."
    yield f"\\{told}" if told.startswith("#") else told
