"""Commands that leave word for later: ``handoff`` and ``diary``."""

import sys

import click

from twiceshy.app import App
from twiceshy.cli.options import json_option, open_app, project_option, resolve_project, yes_option
from twiceshy.cli.output import (
    fields_json,
    flatten_text,
    format_minute,
    print_message,
    print_page,
    print_result,
)
from twiceshy.core.errors import NotFoundError
from twiceshy.core.moment import format_day
from twiceshy.core.text import strip_unsafe
from twiceshy.project.diary import write_diary
from twiceshy.project.handoff.record import (
    fill_handoff,
    find_last_handoff,
    list_handoffs,
    save_handoff,
)
from twiceshy.project.handoff.rules import Handoff, handoff_topic, render_page
from twiceshy.project.local_day import format_local_day
from twiceshy.wording import worded


@click.command("handoff")
@click.argument("topic", required=False, default="")
@click.option("--status", default="", help="State of the work, in one line.")
@click.option("--done", multiple=True, help="A finished step; may be repeated.")
@click.option("--left", multiple=True, help="An open step, the next step first; may be repeated.")
@click.option(
    "--decision", "decisions", multiple=True, help="A decision and its reason; may be repeated."
)
@click.option("--file", "files", multiple=True, help="A relevant file; may be repeated.")
@click.option("--text", default="", help="More text for the next session; - reads stdin.")
@click.option("--draft", is_flag=True, help="Print the handoff without keeping it.")
@click.option(
    "--show", "shown", is_flag=True, help="Print the last handoff, or the handoff on TOPIC."
)
@click.option("--list", "listed", is_flag=True, help="List the handoffs of this project.")
@yes_option
@json_option
def handoff(
    *,
    topic: str,
    draft: bool,
    shown: bool,
    listed: bool,
    yes: bool,
    as_json: bool,
    **told: str | tuple[str, ...],
) -> None:
    """Leave a handoff for the next session of this project; shown once.

    Missing parts are filled in from the session, its decisions and open tasks. A handoff on the
    same TOPIC is updated and shown again.

    Example: twiceshy handoff parser --status "half of it is moved" --left "move the lexer"
    """
    with open_app(for_agents=True) as app:
        if listed:
            _list_handoffs(app, as_json=as_json)
            return
        if shown:
            found = find_last_handoff(app, topic)
            if found is None:
                raise NotFoundError(
                    worded("nobody has left a handoff here"),
                    hint=worded("leave one: twiceshy handoff"),
                )
            left, episode = found
            _print_handoff(
                left, handoff_topic(episode), format_day(episode.ended_at), as_json=as_json
            )
            return
        if told["text"] == "-":
            told["text"] = sys.stdin.read()
        said = Handoff.of(told)
        ready = fill_handoff(app, said, session=app.store.author)
        if draft or (said.is_empty and not yes and not _confirm_handoff(ready, topic)):
            _print_handoff(ready, topic, format_day(app.store.now()), as_json=as_json)
            if not draft:
                _explain_draft(topic)
            return
        kept = save_handoff(app, ready, session=app.store.author, topic=topic, is_typed=True)
    plain = {"id": kept.id, "topic": topic or None, **ready.fields()}
    print_result(
        plain, [worded("handed over: {title}", title=strip_unsafe(kept.title))], as_json=as_json
    )


def _explain_draft(topic: str) -> None:
    """Say that nothing was handed over, and how that is done; a sentence is no topic."""
    print_message(worded("nothing was handed over: this is a draft"))
    if " " in topic.strip():
        print_message(worded("hint: a text is handed over by: twiceshy handoff --text TEXT"))
    else:
        print_message(worded("hint: say something (--status, --left, --text), or give --yes"))


def _confirm_handoff(ready: Handoff, topic: str) -> bool:
    """Ask before keeping generated text; without a terminal, return False."""
    if ready.is_empty or not sys.stdin.isatty():
        return False
    click.echo(render_page(ready, topic=topic, day=""))
    return click.confirm(worded("Hand this over?"), default=True, err=True)


def _print_handoff(handoff: Handoff, topic: str, when: str, *, as_json: bool) -> None:
    plain = {"topic": topic or None, "day": when, **handoff.fields()}
    print_result(
        plain, [strip_unsafe(render_page(handoff, topic=topic, day=when))], as_json=as_json
    )


def _list_handoffs(app: App, *, as_json: bool) -> None:
    found = list_handoffs(app)
    plain = [each.fields() | fields_json(each, "ended_at") for each in found]
    lines = (
        f"{format_minute(each.ended_at)}  {flatten_text(each.title, limit=80)}" for each in found
    )
    talk = () if found else (worded("nobody has left a handoff here"),)
    print_result(plain, lines, talk=talk, as_json=as_json)


@click.command("diary")
@click.argument("day", required=False, metavar="[DAY]")
@click.option("--add", default="", metavar="TEXT", help="Add a remark for next time.")
@project_option
@json_option
def diary(*, day: str | None, add: str, project: str | None, as_json: bool) -> None:
    """Write and print the diary of a day in this project (under 30 lines).

    The diary is built from the sessions and notes of that day in your local time. Running the
    command again updates the page; your additions stay.

    Example: twiceshy diary --add "The release notes still lack the fix"
    """
    with open_app(for_agents=True) as app:
        episode = write_diary(app, resolve_project(app, project), day or "", add=add)
    fields = {"id": episode.id, "project": episode.project}
    told = {"day": format_local_day(episode.started_at), "added": list(episode.requests)}
    print_page({**fields, **told, "page": episode.summary}, episode.summary, as_json=as_json)
