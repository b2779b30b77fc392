"""memory-engine's handoff-*.md: one handoff per file.

The file holds topic, status, day, done and remaining work, decisions, files, and free text.
A ticked task is done. Session and time of day are not held.
"""

from __future__ import annotations

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import day
from twiceshy.interop.formats.headed import day_in, file_stem, headed, one_episode
from twiceshy.interop.formats.pieces import one_name, reworded
from twiceshy.project.episodes.told import episode_id
from twiceshy.project.handoff.rules import (
    Handoff,
    handoff_of,
    page,
    summary_of,
    title_of,
    topic_of,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.interop.formats import About, Piece
    from twiceshy.interop.formats.headed import Headed

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


def read(text: str, about: About) -> tuple[Piece, ...]:
    """Parse a handoff; prose if empty."""
    return one_episode(text, about, lambda said: _episode(said, about))


def items(episodes: Sequence[Episode], about: About) -> tuple[Piece, ...]:
    """Render the file of the first given handoff; each has its own file."""
    if not episodes:
        return ()
    one = episodes[0]
    return read(page(handoff_of(one), topic=topic_of(one), day=day(one.ended_at)), about)


def retold(known: Episode, was: Episode, now: Episode) -> dict[str, object]:
    """Return the changes of an edited file to its episode.

    The topic is the file name, and stays.
    """
    fields = reworded(was, now, ("files",))
    if now.title != was.title and not topic_of(known):
        fields["title"] = now.title
    if now.summary != was.summary:
        fields |= {"summary": now.summary, "requests": handoff_of(now).left}
    return fields


def _episode(text: str, about: About) -> Episode | None:
    said = headed(text)
    handoff = _handoff(said)
    if handoff.empty:
        return None
    at = day_in(said.facts.get("date", ""), about.name) or about.now
    return Episode(
        id=episode_id(f"handoff/{about.project}", file_stem(about) or one_name(text)),
        kind="handoff",
        session="",
        project=about.project,
        started_at=at,
        ended_at=at,
        title=_topic(said) or title_of(handoff),
        summary=summary_of(handoff),
        files=handoff.files,
    )


def _handoff(said: Headed) -> Handoff:
    found: dict[str, list[str]] = {name: [] for name in _WORDS}
    free: list[str] = []
    for heading, told in said.sections.items():
        section = next((name for name, words in _WORDS.items() if _names(heading, words)), "")
        for line in told:
            item = _item(line)
            if section and item is not None:
                ticked = section == "left" and item.startswith(_TICKED)
                told_of = "done" if ticked else section
                found[told_of].append(_unboxed(item) if section == "left" else item)
            elif line.strip():
                free.append(line.strip())
    held = {name: tuple(filter(None, lines)) for name, lines in found.items()}
    return Handoff(status=said.facts.get("status", ""), text="\n".join(free), **held)


def _names(heading: str, words: tuple[str, ...]) -> bool:
    return any(word in heading for word in words)


def _item(line: str) -> str | None:
    bare = line.strip()
    return bare[2:].strip() if bare.startswith(_BULLETS) else None


def _unboxed(item: str) -> str:
    box = next((box for box in (*_OPEN, *_TICKED) if item.startswith(box)), "")
    return " ".join(item[len(box) :].split())


def _topic(said: Headed) -> str:
    """Return the topic in its original letters from the front matter."""
    title = said.title
    topic = title[: -len(_SUFFIX)] if title.lower().endswith(_SUFFIX) else title
    named = said.front.get("name", "").removeprefix("handoff-")
    if named[:1].islower():
        topic = topic[:1].lower() + topic[1:]
    return "" if topic == _NO_TOPIC else topic
