"""Render a session's transcript without bulk; keep a copy on request."""

from __future__ import annotations

import os

from twiceshy.core.errors import NotFoundError, StoreError
from twiceshy.core.jsontext import write
from twiceshy.files.replace import replace_file
from twiceshy.learning.sources import sources_of_session
from twiceshy.project.episodes.refined import TRANSCRIPTS, refined
from twiceshy.runtimes.transcripts import reader_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.app import App
    from twiceshy.core.evidence import Episode


def refined_lines(app: App, episode: Episode) -> Iterator[str]:
    """Yield the messages and calls of an episode's session, a JSON object a line."""
    path = _transcript(app, episode)
    for one in refined(reader_of(path).read(path), redact=app.redact):
        yield write(one)


def keep_refined(app: App, episode: Episode) -> str:
    """Write a refined copy into the memory home, readable only by the owner; return the path."""
    folder = os.path.join(app.config.home, TRANSCRIPTS)
    path = os.path.join(folder, f"{episode.id}.jsonl")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        lines = refined_lines(app, episode)
        replace_file(path, (f"{line}\n".encode() for line in lines))
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror}") from error
    return path


def _transcript(app: App, episode: Episode) -> str:
    path = episode.transcript
    if path and reader_of(path).size_of(path) >= 0:
        return path
    if not episode.session:
        raise NotFoundError(
            "no transcript of this episode is known any more",
            hint="what is archived is a line of its own; see: twiceshy compress --as-file MONTH",
        )
    return sources_of_session(app, episode.session)[0].path
