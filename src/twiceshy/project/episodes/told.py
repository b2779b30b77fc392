"""Build episodes from work segments: a parseable facts line, then a summary.

The summary of a session and of a checkpoint starts with the facts line. A compaction keeps the
summary written by its runtime, and has the facts after its title.
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
    """Context of a work segment: session, project, tag, activity and transcript."""

    session: str
    project: str
    tag: str
    doing: str
    transcript: str = ""


def session_episode(stretch: Stretch, about: About) -> Episode:
    """Build the episode of a session; the same session gives the same id."""
    requests = stretch.requests[-OF_SESSION:]
    return _episode("end", "session", stretch, about).but(
        summary=_summary(stretch, about, requests), requests=requests
    )


def checkpoint_episode(stretch: Stretch, about: About) -> Episode:
    """Build the episode of a session after a number of messages."""
    requests = stretch.requests[-OF_CHECKPOINT:]
    return _episode("checkpoint", f"checkpoint:{stretch.messages}", stretch, about).but(
        summary=_summary(stretch, about, requests), requests=requests
    )


def compact_episode(
    stretch: Stretch, about: About, *, step: str, automatic: bool, summary: str
) -> Episode:
    """Build the episode before a compaction, with its summary and trigger."""
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
    """Return the stable id for a part of a session."""
    import hashlib  # noqa: PLC0415 - loads a shared library, which few events are worth

    return "e" + hashlib.sha256(f"{session}\x1f{part}".encode("utf-8", "replace")).hexdigest()[:31]


def _summary(stretch: Stretch, about: About, requests: tuple[str, ...]) -> str:
    """Render the facts line, the title, and the last requests that fit."""
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
