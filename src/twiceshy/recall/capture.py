"""Capture records from an event: failures, hidden failures, and summaries."""

from __future__ import annotations

from twiceshy.core.event import CallFailed
from twiceshy.core.evidence import Episode, Signal
from twiceshy.shell.summary import NOISY_TOOLS, cut_excerpt

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable

    from twiceshy.core.event import CallSucceeded, Compacted

_LONGEST_SUMMARY = 8_000
_END = 16_000  # longer than any key that is written over several lines


def capture_failure(
    event: CallFailed | CallSucceeded, *, project: str, skill: str, redact: Callable[[str], str]
) -> Signal | None:
    """Return the failure signal of a call; None for success or useless errors.

    Equal calls give equal signals, in any copy of the session. A secret over several lines is
    recognised only whole, so an error is redacted before cutting.
    """
    if event.tool in NOISY_TOOLS:
        return None
    if isinstance(event, CallFailed):
        text = "" if event.interrupted else cut_excerpt(redact(_keep_both_ends(event.error)))
    else:
        from twiceshy.shell.failure import find_hidden_failure

        text = (
            find_hidden_failure(event.target, _keep_both_ends(event.output))
            if event.tool == "Bash"
            else ""
        )
    if not text.strip():
        return None
    return Signal(
        key=f"call:{event.call}" if event.call else f"{event.session}:{event.at}",
        kind="error",
        session=event.session,
        project=project,
        at=event.at,
        skill=skill,
        tool=event.tool,
        target=event.target,
        excerpt=text,
        call=event.call,
    )


def _keep_both_ends(text: str) -> str:
    """Return both ends of an overlong text, with a margin around the kept part."""
    if len(text) <= 2 * _END:
        return text
    return f"{text[:_END].rpartition(' ')[0]}\n\n…\n\n{text[-_END:].partition(' ')[2]}"


def capture_summary(
    event: Compacted, *, project: str, redact: Callable[[str], str]
) -> Episode | None:
    """Return the episode of a compaction, without the model's thoughts.

    Equal summaries give equal episodes.
    """
    summary = _text_between(event.summary, "summary") or _strip_thoughts(event.summary, "analysis")
    if not summary:
        return None
    from twiceshy.project.episodes.facts import episode_id

    summary = redact(_keep_both_ends(summary))[:_LONGEST_SUMMARY]
    return Episode(
        id=episode_id(event.session, f"summary:{summary}"),
        kind="compact",
        session=event.session,
        project=project,
        started_at=event.at,
        ended_at=event.at,
        summary=summary,
        transcript=event.transcript,
    )


def _text_between(text: str, tag: str) -> str:
    inside = text.partition(f"<{tag}>")[2]
    return inside.rpartition(f"</{tag}>")[0].strip() or inside.strip()


def _strip_thoughts(text: str, tag: str) -> str:
    before, opened, rest = text.partition(f"<{tag}>")
    return (before + rest.partition(f"</{tag}>")[2]).strip() if opened else text.strip()
