"""memory-engine's session, compact and checkpoint files: one episode per file.

The file holds project, title, minute, message count, requests, tools, names of changed
files, current work (checkpoint) and summary (compaction). Session id, folders and start time
are not held.
"""

from __future__ import annotations

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import day
from twiceshy.interop.formats.headed import bullets, day_in, file_stem, headed, one_episode
from twiceshy.interop.formats.pieces import one_name, reworded, stamp_at
from twiceshy.project.episodes.facts import AUTOMATIC, BY_HAND
from twiceshy.project.episodes.pages import engine_page
from twiceshy.project.episodes.told import episode_id

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.evidence import EpisodeKind
    from twiceshy.interop.formats import About, Piece
    from twiceshy.interop.formats.headed import Headed

NAME = "engine_session"
_MOST_MESSAGES = 1_000_000


def read(text: str, about: About) -> tuple[Piece, ...]:
    """Parse an episode; prose without title, requests and summary."""
    return one_episode(text, about, lambda said: _episode(said, about))


def items(episodes: Sequence[Episode], about: About) -> tuple[Piece, ...]:
    """Render the file of the first given episode; each has its own file."""
    return read(engine_page(episodes[0], project=about.called), about) if episodes else ()


def retold(known: Episode, was: Episode, now: Episode) -> dict[str, object]:
    """Return the changes of an edited file to its episode."""
    fields = reworded(was, now, ("title", "requests"))
    if now.summary == was.summary:
        return fields
    summary = known.summary
    if known.kind == "compact" or known.summary == was.summary:
        return fields | {"summary": now.summary}
    # the store tells more than the file: line by line, what was said is said in other words
    for old, new in zip(was.summary.split("\n"), now.summary.split("\n"), strict=False):
        summary = summary.replace(old, new, 1) if old else summary
    return fields | {"summary": summary}


def _episode(text: str, about: About) -> Episode | None:
    said = headed(text)
    kind = _kind(said, about)
    title = said.facts.get("title", "")
    requests = bullets(said.section("request"))
    told = "\n".join(said.section("summary")).strip()
    if not (title or requests or told):
        return None
    at = _when(said, about)
    count = _messages(said)
    episode = Episode(
        id=episode_id(f"engine/{about.project}", file_stem(about) or one_name(text)),
        kind=kind,
        session="",
        project=about.project,
        started_at=at,
        ended_at=at,
        title=title,
        summary=told,
        requests=requests,
        tools=_tools(said),
        files=bullets(said.section("file")),
    )
    if kind == "compact":
        trigger = said.facts.get("trigger", "").lower()
        trigger = trigger if trigger in (AUTOMATIC, BY_HAND) else AUTOMATIC
        return episode.but(title=f"{title} ({trigger}, after {count})".strip())
    return episode.but(summary=_summary(said, title or told, count))


def _summary(said: Headed, title: str, count: str) -> str:
    """Render the facts line of our episodes, and the title."""
    if count.startswith("0 "):
        return title
    tag = said.facts.get("project", "").replace(":", " ").replace(";", " ")
    doing = " ".join(" ".join(said.section("being done")).split())
    return f"{count} on {tag}{f'; {doing}' if doing else ''}:\n{title}"


def _kind(said: Headed, about: About) -> EpisodeKind:
    named = f"{said.title.lower()} {about.name.lower()}"
    if "compact" in named:
        return "compact"
    return "checkpoint" if "checkpoint" in named else "end"


def _when(said: Headed, about: About) -> int:
    began = day_in(said.title, said.facts.get("date", ""), about.name)
    clock = said.facts.get("time", "")[:5]
    return (stamp_at(f"{day(began)}T{clock}") or began) if began else about.now


def _messages(said: Headed) -> str:
    word = said.facts.get("messages", "").partition(" ")[0]
    number = int(word) if word.isascii() and word.isdecimal() and len(word) < 8 else 0
    number = min(number, _MOST_MESSAGES)
    return f"{number} message{'s' if number != 1 else ''}"


def _tools(said: Headed) -> tuple[str, ...]:
    told = said.section("tool")
    words = bullets(told) or tuple(word.strip() for line in told for word in line.split(","))
    return tuple(dict.fromkeys(filter(None, words)))
