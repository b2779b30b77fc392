"""``twiceshy distill``."""

import click

from twiceshy.app import App
from twiceshy.cli.first_steps import describe_learning, read_transcripts
from twiceshy.cli.options import json_option, open_app
from twiceshy.cli.output import print_json, print_message
from twiceshy.learning.sources import (
    TranscriptSource,
    find_file_source,
    find_session_sources,
    list_all_sources,
)


@click.command("distill")
@click.option("--session", metavar="ID", help="Learn from one session.")
@click.option(
    "--transcript", "transcripts", metavar="FILE", multiple=True, help="Learn from a transcript."
)
@click.option("--all", "everything", is_flag=True, help="Learn from all existing transcripts.")
@click.option(
    "--wait", is_flag=True, help="Wait for a running learning process instead of skipping."
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
    with open_app() as app, app.learning_lock(patience=60.0 if wait else 0.0) as mine:
        if not mine:
            print_message("somebody else is learning; nothing is lost")
            if as_json:
                print_json({"files": 0, "busy": True})
            return
        studied = read_transcripts(app, _find_sources(app, session, transcripts))
    if as_json:
        counts = studied.learned.fields()
        print_json({"files": studied.files, "unread": studied.unread, **counts})
    else:
        print_message(describe_learning(studied))


def _find_sources(
    app: App, session: str | None, transcripts: tuple[str, ...]
) -> list[TranscriptSource]:
    if session:
        return find_session_sources(app, session)
    return list(map(find_file_source, transcripts)) or list_all_sources(app)
