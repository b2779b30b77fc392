"""``twiceshy distill``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.first_steps import read_transcripts, summary
from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option
from twiceshy.cli.output import print_json, say
from twiceshy.learning.sources import all_sources, source_of_file, sources_of_session

if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.learning.sources import TranscriptSource


@click.command("distill")
@click.option("--session", metavar="ID", help="Learn from one session.")
@click.option(
    "--transcript", "transcripts", metavar="FILE", multiple=True, help="Learn from a transcript."
)
@click.option(
    "--all", "everything", is_flag=True, help="Learn from all transcripts that are there."
)
@click.option(
    "--wait", is_flag=True, help="Wait for others that learn; otherwise leave it to them."
)
@json_option
def command(
    *,
    session: str | None,
    transcripts: tuple[str, ...],
    everything: bool,
    wait: bool,
    as_json: bool,
) -> None:
    """Learn from transcripts: errors, and the calls that fixed them.

    twiceshy learns from connected sessions automatically; use this command for earlier sessions or
    sessions from elsewhere. Parts that were read before are not read again.

    Example: twiceshy distill --all
    """
    if sum((bool(session), bool(transcripts), everything)) != 1:
        raise click.UsageError("say what to learn from: --session, --transcript or --all")
    with opened() as app, app.learning(patience=60.0 if wait else 0.0) as mine:
        if not mine:
            say("somebody else is learning; nothing is lost")
            if as_json:
                print_json({"files": 0, "busy": True})
            return
        studied = read_transcripts(app, _sources(app, session, transcripts))
    if as_json:
        counts = studied.learned.fields()
        print_json({"files": studied.files, "unread": studied.unread, **counts})
    else:
        say(summary(studied))


def _sources(
    app: App, session: str | None, transcripts: tuple[str, ...]
) -> list[TranscriptSource]:
    if session:
        return sources_of_session(app, session)
    return list(map(source_of_file, transcripts)) or all_sources(app)
