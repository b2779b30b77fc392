"""memory-engine's handoff-*.md: one handoff per file.

The file holds topic, status, day, done and remaining work, decisions, files, and free text.
A ticked task is done. Session and time of day are not held.
"""

from __future__ import annotations

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import format_day
from twiceshy.interop.formats.headed import (
    find_day,
    parse_episode_file,
    parse_headed,
    stem_of_path,
)
from twiceshy.interop.formats.pieces import changed_fields, stable_name
from twiceshy.project.episodes.facts import episode_id
from twiceshy.project.handoff.rules import (
    Handoff,
    handoff_title,
    handoff_topic,
    parse_handoff,
    render_page,
    render_summary,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.interop.formats import FileContext, Piece
    from twiceshy.interop.formats.headed import HeadedFile

NAME = "engine_handoff"
_WORDS = {
    "done": ("done", "完成"),
    "left": ("left", "to do", "todo", "next", "待辦", "剩"),
    "decisions": ("decision", "決策", "決定"),
    "files": ("file", "檔案"),
}
_BULLETS = ("- ", "* ", "+ ")
_OPEN, _TICKED = ("[ ]", "[]"), ("[x]", "[X]")
_SUFFIX = " handoff"
_NO_TOPIC = "work"


def parse_text(text: str, about: FileContext) -> tuple[Piece, ...]:
    """Parse a handoff; prose if empty."""
    return parse_episode_file(text, about, lambda said: _build_episode(said, about))


def render_items(episodes: Sequence[Episode], about: FileContext) -> tuple[Piece, ...]:
    """Render the file of the first given handoff; each has its own file."""
    if not episodes:
        return ()
    one = episodes[0]
    return parse_text(
        render_page(parse_handoff(one), topic=handoff_topic(one), day=format_day(one.ended_at)),
        about,
    )


def find_rewording(known: Episode, was: Episode, now: Episode) -> dict[str, object]:
    """Return the changes of an edited file to its episode.

    The topic is the file name, and stays.
    """
    fields = changed_fields(was, now, ("files",))
    if now.title != was.title and not handoff_topic(known):
        fields["title"] = now.title
    if now.summary != was.summary:
        fields |= {"summary": now.summary, "requests": parse_handoff(now).left}
    return fields


def _build_episode(text: str, about: FileContext) -> Episode | None:
    said = parse_headed(text)
    handoff = _parse_handoff(said)
    if handoff.is_empty:
        return None
    at = find_day(said.facts.get("date", ""), about.name) or about.now
    return Episode(
        id=episode_id(f"handoff/{about.project}", stem_of_path(about) or stable_name(text)),
        kind="handoff",
        session="",
        project=about.project,
        started_at=at,
        ended_at=at,
        title=_read_topic(said) or handoff_title(handoff),
        summary=render_summary(handoff),
        files=handoff.files,
    )


def _parse_handoff(said: HeadedFile) -> Handoff:
    found: dict[str, list[str]] = {name: [] for name in _WORDS}
    free: list[str] = []
    for heading, told in said.sections.items():
        section = next((name for name, words in _WORDS.items() if _list_names(heading, words)), "")
        for line in told:
            item = _build_item(line)
            if section and item is not None:
                ticked = section == "left" and item.startswith(_TICKED)
                told_of = "done" if ticked else section
                found[told_of].append(_strip_box(item) if section == "left" else item)
            elif line.strip():
                free.append(line.strip())
    held = {name: tuple(filter(None, lines)) for name, lines in found.items()}
    return Handoff(status=said.facts.get("status", ""), text="\n".join(free), **held)


def _list_names(heading: str, words: tuple[str, ...]) -> bool:
    return any(word in heading for word in words)


def _build_item(line: str) -> str | None:
    bare = line.strip()
    return bare[2:].strip() if bare.startswith(_BULLETS) else None


def _strip_box(item: str) -> str:
    box = next((box for box in (*_OPEN, *_TICKED) if item.startswith(box)), "")
    return " ".join(item[len(box) :].split())


def _read_topic(said: HeadedFile) -> str:
    """Return the topic in its original letters from the front matter."""
    title = said.title
    topic = title[: -len(_SUFFIX)] if title.lower().endswith(_SUFFIX) else title
    named = said.front.get("name", "").removeprefix("handoff-")
    if named[:1].islower():
        topic = topic[:1].lower() + topic[1:]
    return "" if topic == _NO_TOPIC else topic
