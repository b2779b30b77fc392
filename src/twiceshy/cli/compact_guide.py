"""``twiceshy compact-guide``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, project_option, the_project
from twiceshy.cli.output import show
from twiceshy.learning.context import compact_advice, latest
from twiceshy.learning.context_use import ADVISED_FROM, sentence
from twiceshy.learning.sources import sources_of_session
from twiceshy.safety.names import session_name
from twiceshy.wording import worded

if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.learning.context_use import Advice


@click.command("compact-guide")
@click.option("--session", metavar="ID", help="Of this session; default: the one at work here.")
@project_option
@json_option
def command(*, session: str | None, project: str | None, as_json: bool) -> None:
    """Advise whether to compact now: context use and unfinished work.

    Good moments: tests passed, a commit was made, a new task begins. Bad moments: an unsolved
    failure, untested changes, a document just read. Below 60 % there is no need to compact.

    Example: twiceshy compact-guide
    """
    with opened() as app:
        given = compact_advice(_transcript(app, session, project))
    context = given.context
    figures = {"tokens": context.tokens, "window": context.window, "percent": context.percent}
    told = {"moment": given.moment, "because": given.because or None}
    plain = {**figures, "due": given.due, **told, "sentence": sentence(given)}
    used = worded(
        "context: {percent} % of {window} tokens",
        percent=context.percent,
        window=f"{context.window:,}",
    )
    show(plain, [used, _verdict(given)], talk=[_reason(given)], as_json=as_json)


def _transcript(app: App, session: str | None, project: str | None) -> str:
    named = session_name(session) if session else "" if project else app.store.author
    if named:
        return sources_of_session(app, named)[0].path
    return latest(app, the_project(app, project))


def _verdict(given: Advice) -> str:
    if not given.due:
        return worded("no need to compact below {percent} %", percent=ADVISED_FROM)
    match given.moment:
        case "good":
            return worded("compact now: it is a good moment")
        case "bad":
            return worded("do not compact yet")
        case _:
            return worded("compact when this piece of work is done")


def _reason(given: Advice) -> str:
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
