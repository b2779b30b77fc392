"""memory-engine's session, compact and checkpoint files: one episode per file.

The file holds project, title, minute, message count, requests, tools, names of changed
files, current work (checkpoint) and summary (compaction). Session id, folders and start time
are not held.
"""

from __future__ import annotations

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import format_day
from twiceshy.interop.formats.headed import (
    find_day,
    list_bullets,
    parse_episode_file,
    parse_headed,
    stem_of_path,
)
from twiceshy.interop.formats.pieces import changed_fields, parse_stamp_or_zero, stable_name
from twiceshy.project.episodes.facts import AUTOMATIC, MANUAL, episode_id
from twiceshy.project.episodes.pages import render_engine_page

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.evidence import EpisodeKind
    from twiceshy.interop.formats import FileContext, Piece
    from twiceshy.interop.formats.headed import HeadedFile

NAME = "engine_session"
_MOST_MESSAGES = 1_000_000


def parse_text(text: str, about: FileContext) -> tuple[Piece, ...]:
    """Parse an episode; prose without title, requests and summary."""
    return parse_episode_file(text, about, lambda said: _build_episode(said, about))


def render_items(episodes: Sequence[Episode], about: FileContext) -> tuple[Piece, ...]:
    """Render the file of the first given episode; each has its own file."""
    return (
        parse_text(render_engine_page(episodes[0], project=about.called), about)
        if episodes
        else ()
    )


def find_rewording(known: Episode, was: Episode, now: Episode) -> dict[str, object]:
    """Return the changes of an edited file to its episode."""
    fields = changed_fields(was, now, ("title", "requests"))
    if now.summary == was.summary:
        return fields
    summary = known.summary
    if known.kind == "compact" or known.summary == was.summary:
        return fields | {"summary": now.summary}
    # the store tells more than the file: line by line, what was said is said in other words
    for old, new in zip(was.summary.split("\n"), now.summary.split("\n"), strict=False):
        summary = summary.replace(old, new, 1) if old else summary
    return fields | {"summary": summary}


def _build_episode(text: str, about: FileContext) -> Episode | None:
    said = parse_headed(text)
    kind = _episode_kind(said, about)
    title = said.facts.get("title", "")
    requests = list_bullets(said.find_section("request"))
    told = "\n".join(said.find_section("summary")).strip()
    if not (title or requests or told):
        return None
    at = _episode_time(said, about)
    count = _message_count(said)
    episode = Episode(
        id=episode_id(f"engine/{about.project}", stem_of_path(about) or stable_name(text)),
        kind=kind,
        session="",
        project=about.project,
        started_at=at,
        ended_at=at,
        title=title,
        summary=told,
        requests=requests,
        tools=_parse_tools(said),
        files=list_bullets(said.find_section("file")),
    )
    if kind == "compact":
        trigger = said.facts.get("trigger", "").lower()
        trigger = trigger if trigger in (AUTOMATIC, MANUAL) else AUTOMATIC
        return episode.but(title=f"{title} ({trigger}, after {count})".strip())
    return episode.but(summary=_build_summary(said, title or told, count))


def _build_summary(said: HeadedFile, title: str, count: str) -> str:
    """Render the facts line of our episodes, and the title."""
    if count.startswith("0 "):
        return title
    tag = said.facts.get("project", "").replace(":", " ").replace(";", " ")
    doing = " ".join(" ".join(said.find_section("being done")).split())
    return f"{count} on {tag}{f'; {doing}' if doing else ''}:\n{title}"


def _episode_kind(said: HeadedFile, about: FileContext) -> EpisodeKind:
    named = f"{said.title.lower()} {about.name.lower()}"
    if "compact" in named:
        return "compact"
    return "checkpoint" if "checkpoint" in named else "end"


def _episode_time(said: HeadedFile, about: FileContext) -> int:
    began = find_day(said.title, said.facts.get("date", ""), about.name)
    clock = said.facts.get("time", "")[:5]
    return (parse_stamp_or_zero(f"{format_day(began)}T{clock}") or began) if began else about.now


def _message_count(said: HeadedFile) -> str:
    word = said.facts.get("messages", "").partition(" ")[0]
    number = int(word) if word.isascii() and word.isdecimal() and len(word) < 8 else 0
    number = min(number, _MOST_MESSAGES)
    return f"{number} message{'s' if number != 1 else ''}"


def _parse_tools(said: HeadedFile) -> tuple[str, ...]:
    told = said.find_section("tool")
    words = list_bullets(told) or tuple(word.strip() for line in told for word in line.split(","))
    return tuple(dict.fromkeys(filter(None, words)))
