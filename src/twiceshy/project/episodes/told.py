"""How an episode tells of a stretch: a line of facts that can be read back, then what to know of it.

A session and a checkpoint begin their summary with it. A compaction keeps the summary that its
runtime wrote as it is, and has the facts behind its title.
"""

from __future__ import annotations

from twiceshy.core.evidence import Episode
from twiceshy.core.text import one_line
from twiceshy.core.value import Value
from twiceshy.project.episodes.facts import AUTOMATIC, BY_HAND, Facts, facts_of
from twiceshy.project.episodes.stretch import LONGEST_REQUEST

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.evidence import EpisodeKind
    from twiceshy.project.episodes.stretch import Stretch

__all__ = [
    "About",
    "Facts",
    "checkpoint_episode",
    "compact_episode",
    "episode_id",
    "facts_of",
    "session_episode",
]

LONGEST_SUMMARY = (
    360  # a brief cuts remarks at 400, with the date before it; the last words matter
)
OF_SESSION = 8  # requests
OF_CHECKPOINT = 10
_LONGEST_DOING = 100
_MOST_QUOTED = 3


class About(Value):
    """What is known of a stretch beside its steps: whose it was, and what was being done."""

    session: str
    project: str
    tag: str
    doing: str
    transcript: str = ""


def session_episode(stretch: Stretch, about: About) -> Episode:
    """Return the one episode of a session; the same session gives the same id."""
    requests = stretch.requests[-OF_SESSION:]
    return _episode("end", "session", stretch, about).but(
        summary=_summary(stretch, about, requests), requests=requests
    )


def checkpoint_episode(stretch: Stretch, about: About) -> Episode:
    """Return what a session was about when so many messages had been said."""
    requests = stretch.requests[-OF_CHECKPOINT:]
    return _episode("checkpoint", f"checkpoint:{stretch.messages}", stretch, about).but(
        summary=_summary(stretch, about, requests), requests=requests
    )


def compact_episode(
    stretch: Stretch, about: About, *, step: str, automatic: bool, summary: str
) -> Episode:
    """Return what went before a compaction, the summary it left, and what triggered it."""
    trigger = AUTOMATIC if automatic else BY_HAND
    counted = _counted(stretch.messages)
    return _episode("compact", f"compact:{step}", stretch, about).but(
        title=f"{stretch.title} ({trigger}, after {counted})".strip(),
        summary=summary,
        requests=stretch.requests[-OF_SESSION:],
    )


def _episode(kind: EpisodeKind, part: str, stretch: Stretch, about: About) -> Episode:
    return Episode(
        id=episode_id(about.session, part),
        kind=kind,
        session=about.session,
        project=about.project,
        started_at=stretch.started_at,
        ended_at=stretch.ended_at,
        title=stretch.title,
        tools=stretch.tools,
        files=stretch.files,
        transcript=about.transcript,
    )


def episode_id(session: str, part: str) -> str:
    """Return the id by which a part of a session is known again."""
    import hashlib  # noqa: PLC0415 - loads a shared library, which few events are worth

    return "e" + hashlib.sha256(f"{session}\x1f{part}".encode("utf-8", "replace")).hexdigest()[:31]


def _summary(stretch: Stretch, about: About, requests: tuple[str, ...]) -> str:
    """Write the line of facts, then the title and the last requests, as far as they fit."""
    work = f"; {one_line(about.doing, limit=_LONGEST_DOING)}" if about.doing else ""
    told = f"{_counted(stretch.messages)} on {about.tag}{work}:\n{stretch.title}"
    last: list[str] = []
    for request in reversed(requests[-_MOST_QUOTED:]):
        quoted = f'"{one_line(request, limit=LONGEST_REQUEST // 2)}"'
        if quoted.strip('"…') in stretch.title:
            continue  # the title says so already
        if len(told) + len(_asked([quoted, *last])) > LONGEST_SUMMARY:
            break
        last.insert(0, quoted)
    return told + (_asked(last) if last else "")


def _asked(last: list[str]) -> str:
    return f". Last asked: {', '.join(last)}"


def _counted(messages: int) -> str:
    return f"{messages} message{'s' if messages != 1 else ''}"
