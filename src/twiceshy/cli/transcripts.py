"""Commands that read transcripts: ``distill`` and ``compact-guide``."""

import click

from twiceshy.app import App
from twiceshy.cli.first_steps import describe_learning, read_transcripts
from twiceshy.cli.options import json_option, open_app, project_option, resolve_project
from twiceshy.cli.output import print_json, print_message, print_result
from twiceshy.learning.compaction_advice import (
    ADVICE_PERCENT,
    CompactionAdvice,
    advise_session,
    find_latest_transcript,
    render_advice,
)
from twiceshy.learning.requests import forget_set_aside
from twiceshy.learning.sources import (
    TranscriptSource,
    find_file_source,
    find_learning_sources,
    find_session_sources,
    list_all_sources,
)
from twiceshy.safety.names import check_session_id
from twiceshy.wording import worded


@click.command("distill")
@click.option("--session", metavar="ID", help="Learn from one session.")
@click.option(
    "--transcript", "transcripts", metavar="FILE", multiple=True, help="Learn from a transcript."
)
@click.option("--all", "everything", is_flag=True, help="Learn from all existing sessions.")
@click.option(
    "--wait", is_flag=True, help="Wait for a running learning process instead of skipping."
)
@json_option
def distill(
    *,
    session: str | None,
    transcripts: tuple[str, ...],
    everything: bool,
    wait: bool,
    as_json: bool,
) -> None:
    """Learn from transcripts: errors, and the calls that fixed them.

    twiceshy learns from connected sessions automatically; use this command for earlier sessions or
    sessions from elsewhere. Parts that were read before are not read again. Where a session has no
    transcript, the failed calls that hooks recorded, and the calls behind them, take its place.

    Example: twiceshy distill --all
    """
    if sum((bool(session), bool(transcripts), everything)) != 1:
        raise click.UsageError("say what to learn from: --session, --transcript or --all")
    with open_app() as app, app.learning_lock(patience=60.0 if wait else 0.0) as mine:
        if not mine:
            print_message("another process is learning already; nothing is lost")
            if as_json:
                print_json({"files": 0, "busy": True})
            return
        sources = _find_sources(app, session, transcripts)
        studied = read_transcripts(app, sources)
        forget_set_aside(app.config.home, {source.session for source in sources})
    if as_json:
        counts = studied.learned.fields()
        files = {"files": studied.files, "unread": studied.unread, "captured": studied.captured}
        print_json({**files, **counts})
    else:
        print_message(describe_learning(studied))


def _find_sources(
    app: App, session: str | None, transcripts: tuple[str, ...]
) -> list[TranscriptSource]:
    if session:
        return find_learning_sources(app, session)
    return list(map(find_file_source, transcripts)) or list_all_sources(app)


@click.command("compact-guide")
@click.option("--session", metavar="ID", help="Session to check; default: the current session.")
@project_option
@json_option
def compact_guide(*, session: str | None, project: str | None, as_json: bool) -> None:
    """Advise whether to compact now: context use and unfinished work.

    Good moments: tests passed, a commit was made, a new task begins. Bad moments: an unsolved
    failure, untested changes, a document just read. Below 60 % there is no need to compact.

    Example: twiceshy compact-guide
    """
    with open_app(for_agents=True) as app:
        given = advise_session(_find_transcript(app, session, project))
    context = given.context
    figures = {"tokens": context.tokens, "window": context.window, "percent": context.percent}
    told = {"moment": given.moment, "because": given.because or None}
    plain = {**figures, "due": given.is_due, **told, "sentence": render_advice(given)}
    used = worded(
        "context: {percent} % of {window} tokens",
        percent=context.percent,
        window=f"{context.window:,}",
    )
    print_result(
        plain, [used, _describe_verdict(given)], talk=[_describe_reason(given)], as_json=as_json
    )


def _find_transcript(app: App, session: str | None, project: str | None) -> str:
    named = check_session_id(session) if session else "" if project else app.store.author
    if named:
        return find_session_sources(app, named)[0].path
    return find_latest_transcript(app, resolve_project(app, project))


def _describe_verdict(given: CompactionAdvice) -> str:
    if not given.is_due:
        return worded("no need to compact below {percent} %", percent=ADVICE_PERCENT)
    match given.moment:
        case "good":
            return worded("compact now: it is a good moment")
        case "bad":
            return worded("do not compact yet")
        case _:
            return worded("compact when this piece of work is done")


def _describe_reason(given: CompactionAdvice) -> str:
    told = {
        "unresolved failure": worded("a failure is not solved yet; its details would be lost"),
        "untested changes": worded("several files changed and nothing was tested since"),
        "document just read": worded("a document was just read and nothing was made of it yet"),
        "just compacted": worded("it was compacted a moment ago"),
        "tests just passed": worded("the tests just passed"),
        "just committed": worded("the work was just committed"),
        "new task": worded("a new task begins"),
    }
    return told.get(given.because, worded("nothing speaks for or against it right now"))
