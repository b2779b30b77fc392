"""The rolling log of a project's sessions, as memory-keeper's memory.md: a view, made anew at any time."""

from __future__ import annotations

from twiceshy.core.brief import escape
from twiceshy.core.episode.archive import entries_of
from twiceshy.core.episode.facts import facts_of
from twiceshy.core.moment import stamp
from twiceshy.core.text import token_estimate

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twiceshy.core.signal import Episode

TAIL = 50  # lines that memory-keeper loads
_LONGEST = 200


def log_page(episodes: Iterable[Episode]) -> str:
    """Write down what each session was about, the oldest first."""
    sections = ("\n".join(("", *_section(one))) for one in _sessions(episodes))
    return "".join(f"{section}\n" for section in sections)


def log_tail(episodes: Iterable[Episode], *, lines: int = TAIL, tokens: int) -> list[str]:
    """Return the end of the log within so many lines and tokens; a section is there whole or not at all."""
    tail: list[str] = []
    for one in reversed(_sessions(episodes)):
        section = ["", *_section(one)] if tail else list(_section(one))
        longer = [*_section(one), *([""] if tail else []), *tail]
        if len(tail) + len(section) > lines or token_estimate("\n".join(longer)) > tokens:
            break
        tail = longer
    return tail


def _sessions(episodes: Iterable[Episode]) -> list[Episode]:
    """Return what was written last about each session, in the order in which they ended."""
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
