"""Measure a session's context use and advise on compaction, from the transcript."""

from __future__ import annotations

from collections import deque

from twiceshy import app as wiring
from twiceshy.core.errors import NotFoundError
from twiceshy.core.moment import parse_stamp
from twiceshy.learning.compaction_advice import ContextUse, advise_compaction
from twiceshy.runtimes.transcript_files import modified_at
from twiceshy.runtimes.transcripts import load_readers, reader_for_path

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.app import App
    from twiceshy.learning.compaction_advice import CompactionAdvice

_RECENT_STEPS = 400  # steps; what went before says nothing about this moment
_MOST_TRANSCRIPTS = 200  # transcripts, of which the first is nearly always the one
_NANOSECONDS = 1_000_000  # of a millisecond


def read_context_use(path: str) -> ContextUse | None:
    """Return the context use recorded in a transcript; None while unknown."""
    tokens, window = reader_for_path(path).read_context_use(path)
    return ContextUse(tokens, window) if tokens and window else None


def find_context_percent(app: App, session: str) -> int:
    """Return the percentage of a session's context in use; 0 while unknown."""
    known = app.store.session(session)
    if known is None or not known.transcript:
        return 0
    found = read_context_use(known.transcript)
    return found.percent if found else 0


def advise_session(path: str) -> CompactionAdvice:
    """Advise whether to compact the session of a transcript now."""
    found = read_context_use(path)
    if found is None:
        raise NotFoundError(
            "the transcript does not tell how full the context is",
            hint="it does after the first answer; until then there is no need to compact",
        )
    return advise_compaction(
        found, list(deque(reader_for_path(path).read_transcript(path), maxlen=_RECENT_STEPS))
    )


def find_latest_transcript(app: App, project: str) -> str:
    """Return the transcript of a project written most recently; never from a different project."""
    mine = app.store.list_project_ids(project)
    found = [(_find_written_time(path), path) for path in _list_transcripts(app)]
    for _, path in sorted(found, reverse=True)[:_MOST_TRANSCRIPTS]:
        cwd = reader_for_path(path).read_opening(path).cwd
        if cwd and wiring.identify_project(cwd, app.config).id in mine:
            return path
    raise NotFoundError(
        "no session of this project has left a transcript",
        hint="name one with --session; see: twiceshy config transcripts",
    )


def _list_transcripts(app: App) -> Iterator[str]:
    for by in load_readers():
        yield from by.list_transcripts(app.config.text(by.SETTING))


def _find_written_time(path: str) -> int:
    """Return the last write time of a transcript in nanoseconds.

    OpenCode's transcripts are in a database, where only their start is known.
    """
    if at := modified_at(path):
        return at
    try:
        return parse_stamp(reader_for_path(path).read_opening(path).at) * _NANOSECONDS
    except ValueError:
        return 0
