"""Build episodes from work segments: a parseable facts line, then a summary.

The summary of a session and of a checkpoint starts with the facts line and its title; the last line
tells how it ended. A compaction keeps the
summary written by its runtime, and has the facts after its title.
"""

from __future__ import annotations

from twiceshy.core.evidence import Episode
from twiceshy.core.text import fold_to_line
from twiceshy.core.value import Value
from twiceshy.project.episodes.facts import AUTOMATIC, ENDED, MANUAL, episode_id
from twiceshy.project.episodes.work_segment import WorkSegment

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.evidence import EpisodeKind


MAX_SESSION_REQUESTS = 8  # requests
MAX_CHECKPOINT_REQUESTS = 10
_MAX_WORK = 100


class EpisodeContext(Value):
    """Context of a work segment: session, project, tag, activity and transcript."""

    session: str
    project: str
    tag: str
    doing: str
    transcript: str = ""


def build_session_episode(segment: WorkSegment, context: EpisodeContext) -> Episode:
    """Build the episode of a session; the same session gives the same id."""
    episode = _build_episode("end", "session", segment, context)
    return episode.but(summary=_render_summary(segment, context))


def build_checkpoint_episode(segment: WorkSegment, context: EpisodeContext) -> Episode:
    """Build the episode of a session after a number of messages."""
    requests = segment.requests[-MAX_CHECKPOINT_REQUESTS:]
    episode = _build_episode("checkpoint", f"checkpoint:{segment.messages}", segment, context)
    return episode.but(summary=_render_summary(segment, context), requests=requests)


def build_compact_episode(
    segment: WorkSegment, context: EpisodeContext, *, step: str, automatic: bool, summary: str
) -> Episode:
    """Build the episode before a compaction, with its summary and trigger."""
    trigger = AUTOMATIC if automatic else MANUAL
    counted = _render_message_count(segment.messages)
    return _build_episode("compact", f"compact:{step}", segment, context).but(
        title=f"{segment.title} ({trigger}, after {counted})".strip(),
        summary=summary,
    )


def _build_episode(
    kind: EpisodeKind, part: str, segment: WorkSegment, context: EpisodeContext
) -> Episode:
    return Episode(
        id=episode_id(context.session, part),
        kind=kind,
        session=context.session,
        project=context.project,
        started_at=segment.started_at,
        ended_at=segment.ended_at,
        title=segment.title,
        requests=segment.requests[-MAX_SESSION_REQUESTS:],
        tools=segment.tools,
        files=segment.files,
        transcript=context.transcript,
    )


def _render_summary(segment: WorkSegment, context: EpisodeContext) -> str:
    """Render the facts line, the title, and how the segment ended."""
    work = f"; {fold_to_line(context.doing, limit=_MAX_WORK)}" if context.doing else ""
    ended = f"\n{ENDED}{segment.ending}" if segment.ending else ""
    counted = _render_message_count(segment.messages)
    return f"{counted} on {context.tag}{work}:\n{segment.title}{ended}"


def _render_message_count(messages: int) -> str:
    return f"{messages} message{'s' if messages != 1 else ''}"
