"""Measure a session's context use and advise on compaction, from the transcript."""

from __future__ import annotations

from collections import deque
from importlib import import_module

from twiceshy import app as wiring
from twiceshy.core.errors import NotFoundError
from twiceshy.core.moment import parse_stamp
from twiceshy.learning.context_use import Context, advice
from twiceshy.runtimes import RUNTIMES, folder_of
from twiceshy.runtimes.jsonl import written_at
from twiceshy.runtimes.transcripts import reader, reader_of, runtime_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.app import App
    from twiceshy.learning.context_use import Advice

_LATELY = 400  # steps; what went before says nothing about this moment
_MOST_ASKED = 200  # transcripts, of which the first is nearly always the one
_NANOSECONDS = 1_000_000  # of a millisecond


def context(path: str) -> Context | None:
    """Return the context use recorded in a transcript; None while unknown."""
    module = import_module(f"twiceshy.runtimes.{folder_of(runtime_of(path))}.context")
    tokens, window = module.context_of(path)
    return Context(tokens, window) if tokens and window else None


def fullness(app: App, session: str) -> int:
    """Return the percentage of a session's context in use; 0 while unknown."""
    known = app.store.session(session)
    if known is None or not known.transcript:
        return 0
    found = context(known.transcript)
    return found.percent if found else 0


def compact_advice(path: str) -> Advice:
    """Advise whether to compact the session of a transcript now."""
    found = context(path)
    if found is None:
        raise NotFoundError(
            "the transcript does not tell how full the context is",
            hint="it does after the first answer; until then there is no need to compact",
        )
    return advice(found, list(deque(reader_of(path).read(path), maxlen=_LATELY)))


def latest(app: App, project: str) -> str:
    """Return the transcript of a project written most recently; never from a different project."""
    mine = app.store.same_project(project)
    found = [(_written(path), path) for path in _everywhere(app)]
    for _, path in sorted(found, reverse=True)[:_MOST_ASKED]:
        cwd = reader_of(path).opening_of(path).cwd
        if cwd and wiring.identify(cwd, app.config).id in mine:
            return path
    raise NotFoundError(
        "no session of this project has left a transcript",
        hint="name one with --session; see: twiceshy config transcripts",
    )


def _everywhere(app: App) -> Iterator[str]:
    for runtime in RUNTIMES:
        by = reader(runtime)
        yield from by.everywhere(app.config.text(by.SETTING))


def _written(path: str) -> int:
    """Return the last write time of a transcript in nanoseconds.

    OpenCode's transcripts are in a database, where only their start is known.
    """
    if at := written_at(path):
        return at
    try:
        return parse_stamp(reader_of(path).opening_of(path).at) * _NANOSECONDS
    except ValueError:
        return 0
