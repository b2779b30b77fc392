"""Render episodes in the file formats of memory-engine and memory-keeper.

The files are views and can be rendered again at any time. Dates and times are UTC, so no file is
filed under one day and named after another.
"""

from __future__ import annotations

from twiceshy.core.grouping import group_by
from twiceshy.core.moment import format_day, format_stamp
from twiceshy.core.text import escape_line
from twiceshy.project.episodes.facts import parse_episode_facts
from twiceshy.project.episodes.work_segment import NO_PROJECT

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from twiceshy.core.evidence import Episode

MAX_INDEXED = 20
_HEADINGS = {"checkpoint": "Checkpoint", "compact": "Compact Snapshot"}
_NAMES = {"checkpoint": "checkpoint", "compact": "compact"}
_MAX_LENGTH = 8_000
_UNTIMED = "00:00"
_ID_LENGTH = 8  # characters of a session's id in the name of a file


def engine_file_name(episode: Episode) -> str:
    """Return an episode's file name in the memory-engine format."""
    kind = _NAMES.get(episode.kind, "session")
    return f"{format_day(episode.ended_at)}-{_file_prefix(episode)}-{kind}.md"


def render_engine_page(episode: Episode, *, project: str = "") -> str:
    """Render an episode as a memory-engine session, compact or checkpoint file."""
    facts = parse_episode_facts(episode)
    heading = _HEADINGS.get(episode.kind, "Session")
    named = facts.tag or (project or NO_PROJECT) * (episode.kind != "checkpoint")
    clock = _format_time(episode)
    timed = clock != _UNTIMED or episode.kind != "checkpoint"
    lines = [
        f"# {heading}: {format_day(episode.ended_at)}",
        *([f"**Project:** {_escape_text(named)}"] if named else ()),  # its checkpoints name none
        f"**Title:** {_escape_text(facts.title)}",
        *([f"**Time:** {clock}"] if timed else ()),
        f"**Messages:** {facts.messages}",
    ]
    if facts.trigger:
        lines += [f"**Trigger:** {facts.trigger}", "**Type:** compact"]
    if episode.kind == "checkpoint":
        lines += _render_section("What was being done", filter(None, [_escape_text(facts.doing)]))
    if episode.kind == "compact":
        lines += _render_section("Summary", _escape_lines(facts.text))
    requests = [f"- {_escape_text(each)}" for each in episode.requests]
    tools = [_escape_text(", ".join(episode.tools))] if episode.tools else []
    lines += [*_render_section("User Requests", requests), *_render_section("Tools Used", tools)]
    names = dict.fromkeys(path.rpartition("/")[2] for path in episode.files)
    lines += _render_section("Files Modified", (f"- {_escape_text(name)}" for name in names))
    return "\n".join(lines) + "\n"


def render_index_page(episodes: Iterable[Episode], *, name_of: Callable[[str], str]) -> str:
    """Render the newest episodes of each project; ``name_of`` returns a project's name."""

    def find_tag(episode: Episode) -> str:
        return parse_episode_facts(episode).tag or name_of(episode.project) or NO_PROJECT

    sections = group_by(episodes, find_tag)
    lines = ["# Project Index"]
    for tag in sorted(sections):
        newest = sorted(sections[tag], key=lambda one: (-one.ended_at, one.id))[:MAX_INDEXED]
        lines += ["", f"## {_escape_text(tag)}", *map(_render_entry, newest)]
    return "\n".join(lines) + "\n"


def _render_entry(episode: Episode) -> str:
    label = f"[{episode.kind}] " if episode.kind != "end" else ""
    title = _escape_text(episode.title).replace("|", "/") or "-"
    when = f"{format_day(episode.ended_at)} {_format_time(episode)}"
    return f"- {when} | {label}{title} | {engine_file_name(episode)}"


def _render_section(name: str, lines: Iterable[str]) -> Iterator[str]:
    """Yield a section unless it is empty."""
    if held := list(lines):
        yield from ("", f"## {name}", *held)


def _escape_lines(text: str) -> list[str]:
    """Escape the lines of a text, so no line starts a section."""
    lines = (_escape_text(line) for line in text.splitlines())
    return [f"\\{line}" if line.startswith("#") else line for line in lines]


def _escape_text(text: str) -> str:
    return escape_line(text, limit=_MAX_LENGTH)


def _format_time(episode: Episode) -> str:
    return format_stamp(episode.ended_at)[11:16]


def _file_prefix(episode: Episode) -> str:
    """Return a file name prefix from session and episode id, unique for each episode."""
    plain = "".join(c for c in episode.session if c.isascii() and c.isalnum())
    return f"{plain[:_ID_LENGTH] or 'unknown'}-{episode.id[-4:]}"
