"""Count what the sessions on record were learned from: transcripts, captured calls, or neither."""

from __future__ import annotations

from collections import Counter

from twiceshy.core.value import Value
from twiceshy.learning.captured_calls import is_captured, locate_captured_calls
from twiceshy.learning.sources import has_transcript
from twiceshy.recall.capture import CALLS_FULL
from twiceshy.runtimes.transcript_files import transcript_size

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App

_QUIET_MS = 10 * 60_000  # a session that goes on has not been read yet


class SourceCounts(Value):
    """Sessions on record by what they were learned from."""

    transcripts: int = 0
    captured: int = 0
    waiting: int = 0  # sessions that are over, with a source that nobody has read yet
    full: int = 0  # sessions with more failures than are kept
    neither: tuple[tuple[str, int], ...] = ()  # by runtime, most sessions first


def count_sources(app: App) -> SourceCounts:
    """Count the sessions learned from a transcript, from captured calls, or from neither."""
    counts, neither = Counter[str](), Counter[str]()
    quiet = app.store.now() - _QUIET_MS
    for session in app.store.list_session_sources():
        captured = locate_captured_calls(app, session.id)
        counts["full"] += int(bool(captured) and transcript_size(captured) >= CALLS_FULL)
        if any(not is_captured(app, path) for path in session.read):
            counts["transcripts"] += 1
        elif session.read:
            counts["captured"] += 1
        elif session.seen_at >= quiet:
            continue  # it goes on
        elif captured or has_transcript(app, session.id, session.runtime):
            counts["waiting"] += 1
        else:
            neither[session.runtime] += 1
    return SourceCounts.of({**counts, "neither": tuple(neither.most_common())})
