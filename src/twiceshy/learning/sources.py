"""Find transcripts to learn from: by session, by file, unfinished, or everywhere.

Where a session has none, its captured calls take the place: see ``captured_calls``.
"""

import os
from collections.abc import Collection, Iterator

from twiceshy import app as wiring
from twiceshy.app import App
from twiceshy.core.errors import NotFoundError
from twiceshy.core.store_learning import find_progress
from twiceshy.core.value import Value
from twiceshy.learning.captured_calls import (
    find_last_time,
    is_captured,
    list_captured_sessions,
    locate_captured_calls,
    read_captured_opening,
)
from twiceshy.runtimes import RUNTIMES
from twiceshy.runtimes.transcript_files import transcript_size
from twiceshy.runtimes.transcripts import load_reader, load_readers, reader_for_path
from twiceshy.safety.names import check_session_id

_QUIET_MS = 10 * 60_000  # a session that said nothing for so long is over, or may as well be


class TranscriptSource(Value):
    """A transcript of a session, or of an agent started by the session."""

    path: str
    session: str
    size: int = 0


class SessionOrigin(Value):
    """The session a transcript belongs to, with project id and root."""

    session: str
    project: str
    root: str


def find_session_sources(app: App, session: str) -> list[TranscriptSource]:
    """Return the transcripts of a session, with those of its agents."""
    path = _find_transcript(app, session)
    if not path:
        raise NotFoundError(
            f"no transcript of session {session} is there",
            hint="runtimes remove old ones in time; see: twiceshy config transcripts",
        )
    return list(_list_with_agents(path, session))


def find_learning_sources(app: App, session: str) -> list[TranscriptSource]:
    """Return the transcripts of a session, or else its captured calls."""
    try:
        return find_session_sources(app, session)
    except NotFoundError:
        if captured := locate_captured_calls(app, session):
            return [_build_captured_source(captured, session)]
        raise


def has_transcript(app: App, session: str, runtime: str = "") -> bool:
    """True if the transcript of a session can be read; ``runtime`` is asked where it may be."""
    return bool(_find_transcript(app, session, runtime))


def _find_transcript(app: App, session: str, runtime: str = "") -> str:
    known = app.store.session(session)
    path = known.transcript if known else ""
    if path and reader_for_path(path).transcript_size(path) >= 0:
        return path
    runtime = known.runtime if known else runtime
    asked = [load_reader(runtime)] if runtime in RUNTIMES else load_readers()
    found = (each.find_transcript(session, app.config.text(each.SETTING)) for each in asked)
    return next(filter(None, found), "")


def find_file_source(path: str) -> TranscriptSource:
    """Return the transcript in a named file."""
    path = os.path.abspath(path)
    by = reader_for_path(path)
    if (size := by.transcript_size(path)) < 0:
        raise NotFoundError(f"there is no transcript {path}", hint="name a .jsonl file")
    opening, named = by.read_opening(path), by.session_of_path(path)
    own = named in opening.sessions or not opening.sessions
    return TranscriptSource(path, check_session_id(named if own else min(opening.sessions)), size)


def list_all_sources(app: App) -> list[TranscriptSource]:
    """Return the transcripts of every runtime, each runtime's oldest session first.

    Captured calls of sessions without a transcript come last.
    """
    transcripts = [
        source
        for each in load_readers()
        for path in each.list_transcripts(app.config.text(each.SETTING))
        for source in _list_with_agents(path, each.session_of_path(path))
    ]
    return [*transcripts, *list_captured_sources(app)]


def list_captured_sources(app: App, *, before: int = 0) -> list[TranscriptSource]:
    """Return the captured calls of sessions without a transcript, quiet since a time."""
    found = {each: locate_captured_calls(app, each) for each in list_captured_sessions(app)}
    return [
        _build_captured_source(path, session)
        for session, path in found.items()
        if not (before and find_last_time(path) >= before)
        and not has_transcript(app, session, read_captured_opening(path).runtime)
    ]


def _build_captured_source(path: str, session: str) -> TranscriptSource:
    return TranscriptSource(path, session, transcript_size(path))


def list_unfinished_sources(
    app: App, *, except_sessions: Collection[str] = ()
) -> list[TranscriptSource]:
    """Return unfinished transcripts of quiet sessions, except of these."""
    before = app.store.now() - _QUIET_MS
    found = [
        TranscriptSource(one.path, one.session) for one in app.store.list_progress(before=before)
    ]
    known = {one.path for one in found}
    captured = list_captured_sources(app, before=before)
    found += [one for one in captured if one.path not in known]
    return [
        one for one in found if one.session not in except_sessions and find_source_size(one) >= 0
    ]


def find_origin(app: App, source: TranscriptSource) -> SessionOrigin:
    """Return the session, project and root of a transcript.

    An unknown session is identified by its directory.
    """
    known = app.store.session(source.session)
    if known:
        return SessionOrigin(source.session, known.project, known.root)
    if is_captured(app, source.path):
        cwd = read_captured_opening(source.path).cwd
    else:
        cwd = reader_for_path(source.path).read_opening(source.path).cwd
    if not cwd:
        raise NotFoundError("the transcript does not say where its session was")
    here = wiring.identify_project(cwd, app)
    app.store.record_project(
        here.id, name=here.name, root=here.root, aliases=here.aliases, places=here.places
    )
    return SessionOrigin(source.session, here.id, here.root)


def has_news(app: App, source: TranscriptSource, *, close: bool) -> bool:
    """True if a transcript has grown since the last reading, or is still to be closed."""
    known = find_progress(app.store, source.path)
    if known is None:
        return True
    size = find_source_size(source)
    return size >= 0 and (size != parse_offset(known.position) or (close and not known.is_closed))


def find_source_size(source: TranscriptSource) -> int:
    """Return the current size of a transcript; -1 if the transcript is gone."""
    return reader_for_path(source.path).transcript_size(source.path)


def parse_offset(position: str) -> int:
    """Return the number of bytes before a position."""
    return int(position.partition("-")[0] or 0)


def _list_with_agents(path: str, session: str) -> Iterator[TranscriptSource]:
    by = reader_for_path(path)
    for part in by.list_session_parts(path):
        if (size := by.transcript_size(part)) >= 0:  # else it was removed a moment ago
            yield TranscriptSource(part, session, size)
