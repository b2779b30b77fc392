"""Learn from the transcripts that were there before twiceshy was, so that memory is useful on day one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.output import say
from twiceshy.learning.learn import learn_from_transcripts
from twiceshy.learning.sources import all_sources

if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.config.resolved import Config
    from twiceshy.learning.learn import LearningReport
    from twiceshy.learning.sources import TranscriptSource

_MEGABYTE = 1 << 20


def offer(config: Config, *, wanted: bool, ask: bool) -> dict[str, int]:
    """Learn if that was asked for; offer it to a person otherwise. Return what came of it."""
    if not wanted and not (ask and sys.stdin.isatty()):
        return {}
    with opened(config) as app:
        sources = all_sources(app)
        new = [source for source in sources if app.store.reading(source.path) is None]
        if not new:
            if wanted:
                say("there are no transcripts that were not read yet")
            return {}
        if not wanted and not _agreed(new):
            say("hint: later, with: twiceshy distill --all")
            return {}
        with app.learning(patience=60.0) as mine:
            if not mine:
                say("somebody else is learning; nothing is lost")
                return {}
            return _told(read(app, new))


def read(app: App, sources: list[TranscriptSource]) -> LearningReport:
    """Learn from transcripts and show how far it is."""
    size = sum(source.size for source in sources)
    with click.progressbar(length=size, label="learning", file=sys.stderr) as bar:
        return learn_from_transcripts(app, sources, close=True, progress=bar.update)


def summary(studied: LearningReport) -> str:
    """Say in a sentence what was learned."""
    learned = studied.learned
    if not studied.files:
        return "nothing new since the last time"
    return (
        f"{studied.files:,} transcripts with {learned.calls:,} calls of tools: "
        f"{learned.errors:,} errors, {learned.corrections:,} corrections; "
        f"{learned.new:,} new notes, {learned.again:,} times something known"
        + (f"; {studied.unread:,} could not be read" if studied.unread else "")
    )


def _agreed(sources: list[TranscriptSource]) -> bool:
    size = sum(source.size for source in sources) / _MEGABYTE
    question = (
        f"Learn from the {len(sources):,} transcripts that are there ({size:,.1f} MB)? "
        "They are read here and stay here; no model is asked."
    )
    return click.confirm(question, default=True, err=True)


def _told(studied: LearningReport) -> dict[str, int]:
    say(summary(studied))
    if studied.learned.new:
        say("hint: look at them with: twiceshy review; and try: twiceshy replay")
    fields = studied.learned.fields()
    return {"files": studied.files} | {name: int(str(value)) for name, value in fields.items()}
