"""Render episodes in the file formats of memory-engine and memory-keeper.

The files are views and can be rendered again at any time. Dates and times are UTC, so no file is
filed under one day and named after another.
"""

from __future__ import annotations

from twiceshy.core.moment import day, stamp
from twiceshy.core.text import escape
from twiceshy.project.episodes.about import NOWHERE
from twiceshy.project.episodes.told import facts_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from twiceshy.core.evidence import Episode

NEWEST = 20
_HEADINGS = {"checkpoint": "Checkpoint", "compact": "Compact Snapshot"}
_NAMES = {"checkpoint": "checkpoint", "compact": "compact"}
_LONGEST = 8_000
_ID = 8  # characters of a session's id in the name of a file


def engine_name(episode: Episode) -> str:
    """Return an episode's file name in the memory-engine format."""
    kind = _NAMES.get(episode.kind, "session")
    return f"{day(episode.ended_at)}-{_short(episode)}-{kind}.md"


def engine_page(episode: Episode, *, project: str = "") -> str:
    """Render an episode as a memory-engine session, compact or checkpoint file."""
    facts = facts_of(episode)
    heading = _HEADINGS.get(episode.kind, "Session")
    lines = [
        f"# {heading}: {day(episode.ended_at)}",
        f"**Project:** {_text(facts.tag or project or NOWHERE)}",
        f"**Title:** {_text(facts.title)}",
        f"**Time:** {_clock(episode)}",
        f"**Messages:** {facts.messages}",
    ]
    if facts.trigger:
        lines += [f"**Trigger:** {facts.trigger}", "**Type:** compact"]
    if episode.kind == "checkpoint":
        lines += _section("What Was Being Done", filter(None, [_text(facts.doing)]))
    if episode.kind == "compact":
        lines += _section("Summary", _escaped(facts.text))
    lines += _section("User Requests", (f"- {_text(each)}" for each in episode.requests))
    lines += _section("Tools Used", [_text(", ".join(episode.tools))] if episode.tools else [])
    names = dict.fromkeys(path.rpartition("/")[2] for path in episode.files)
    lines += _section("Files Modified", (f"- {_text(name)}" for name in names))
    return "\n".join(lines) + "\n"


def index_page(episodes: Iterable[Episode], *, name_of: Callable[[str], str]) -> str:
    """Render the newest episodes of each project; ``name_of`` returns a project's name."""
    sections: dict[str, list[Episode]] = {}
    for episode in episodes:
        tag = facts_of(episode).tag or name_of(episode.project) or NOWHERE
        sections.setdefault(tag, []).append(episode)
    lines = ["# Project Index"]
    for tag in sorted(sections):
        newest = sorted(sections[tag], key=lambda one: (-one.ended_at, one.id))[:NEWEST]
        lines += ["", f"## {_text(tag)}", *map(_entry, newest)]
    return "\n".join(lines) + "\n"


def _entry(episode: Episode) -> str:
    label = f"[{episode.kind}] " if episode.kind != "end" else ""
    title = _text(episode.title).replace("|", "/") or "-"
    when = f"{day(episode.ended_at)} {_clock(episode)}"
    return f"- {when} | {label}{title} | {engine_name(episode)}"


def _section(name: str, lines: Iterable[str]) -> Iterator[str]:
    """Yield a section unless it is empty."""
    held: Sequence[str] = list(lines)
    if held:
        yield from ("", f"## {name}", *held)


def _escaped(text: str) -> list[str]:
    """Escape the lines of a text, so no line starts a section."""
    lines = (_text(line) for line in text.splitlines())
    return [f"\\{line}" if line.startswith("#") else line for line in lines]


def _text(text: str) -> str:
    return escape(text, limit=_LONGEST)


def _clock(episode: Episode) -> str:
    return stamp(episode.ended_at)[11:16]


def _short(episode: Episode) -> str:
    """Return a file name prefix from session and episode id, unique for each episode."""
    plain = "".join(c for c in episode.session if c.isascii() and c.isalnum())
    return f"{plain[:_ID] or 'unknown'}-{episode.id[-4:]}"
