"""Render a session's transcript without bulk; keep a copy on request."""

from __future__ import annotations

import os

from twiceshy.core.errors import NotFoundError, StoreError
from twiceshy.core.jsontext import write_json
from twiceshy.files.replace import replace_file
from twiceshy.learning.sources import find_session_sources
from twiceshy.project.episodes.refine import TRANSCRIPTS, refine_transcript
from twiceshy.runtimes.transcripts import reader_for_path

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.app import App
    from twiceshy.core.evidence import Episode


def render_refined_lines(app: App, episode: Episode) -> Iterator[str]:
    """Yield the messages and calls of an episode's session, a JSON object a line."""
    path = _find_transcript(app, episode)
    for one in refine_transcript(reader_for_path(path).read_transcript(path), redact=app.redact):
        yield write_json(one)


def write_refined_copy(app: App, episode: Episode) -> str:
    """Write a refined copy into the memory home, readable only by the owner; return the path."""
    folder = os.path.join(app.config.home, TRANSCRIPTS)
    path = os.path.join(folder, f"{episode.id}.jsonl")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        lines = render_refined_lines(app, episode)
        replace_file(path, (f"{line}\n".encode() for line in lines))
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror}") from error
    return path


def _find_transcript(app: App, episode: Episode) -> str:
    path = episode.transcript
    if path and reader_for_path(path).transcript_size(path) >= 0:
        return path
    if not episode.session:
        raise NotFoundError(
            "no transcript of this episode is known any more",
            hint="what is archived is a line of its own; see: twiceshy compress --as-file MONTH",
        )
    return find_session_sources(app, episode.session)[0].path
