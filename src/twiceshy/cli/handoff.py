"""``twiceshy handoff``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, yes_option
from twiceshy.cli.output import flat, minute, show
from twiceshy.core.errors import NotFoundError
from twiceshy.core.moment import day, stamp
from twiceshy.core.text import clean
from twiceshy.project.handoff.handing import filled, hand_over, handoffs, last_handoff
from twiceshy.project.handoff.rules import Handoff, page, topic_of
from twiceshy.wording import worded

if TYPE_CHECKING:
    from twiceshy.app import App


@click.command("handoff")
@click.argument("topic", required=False, default="")
@click.option("--status", default="", help="Where the work stands, in one line.")
@click.option("--done", multiple=True, help="What was done; may be given again.")
@click.option("--left", multiple=True, help="What is left to do, the next step first.")
@click.option("--decision", "decisions", multiple=True, help="What was decided, and why.")
@click.option("--file", "files", multiple=True, help="A file that matters now.")
@click.option("--text", default="", help="What else the next session must know; - reads stdin.")
@click.option("--draft", is_flag=True, help="Print what would be handed over, and keep nothing.")
@click.option("--show", "shown", is_flag=True, help="Print the last handoff, or the one on TOPIC.")
@click.option("--list", "listed", is_flag=True, help="List what was handed over here.")
@yes_option
@json_option
def command(
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
    with opened() as app:
        if listed:
            _list(app, as_json=as_json)
            return
        if shown:
            found = last_handoff(app, topic)
            if found is None:
                raise NotFoundError(
                    worded("nobody has left a handoff here"),
                    hint=worded("leave one: twiceshy handoff"),
                )
            left, episode = found
            _print(left, topic_of(episode), day(episode.ended_at), as_json=as_json)
            return
        if told["text"] == "-":
            told["text"] = sys.stdin.read()
        said = Handoff.of(told)
        ready = filled(app, said, session=app.store.author)
        if draft or (said.empty and not yes and not _agrees(ready, topic)):
            _print(ready, topic, day(app.store.now()), as_json=as_json)
            return
        kept = hand_over(app, ready, session=app.store.author, topic=topic)
    plain = {"id": kept.id, "topic": topic or None, **ready.fields()}
    show(plain, [worded("handed over: {title}", title=clean(kept.title))], as_json=as_json)


def _agrees(ready: Handoff, topic: str) -> bool:
    """Ask before keeping generated text; without a terminal, return False."""
    if ready.empty or not sys.stdin.isatty():
        return False
    click.echo(page(ready, topic=topic, day=""))
    return click.confirm(worded("Hand this over?"), default=True, err=True)


def _print(handoff: Handoff, topic: str, when: str, *, as_json: bool) -> None:
    plain = {"topic": topic or None, "day": when, **handoff.fields()}
    show(plain, [clean(page(handoff, topic=topic, day=when))], as_json=as_json)


def _list(app: App, *, as_json: bool) -> None:
    found = handoffs(app)
    plain = [each.fields() | {"ended_at": stamp(each.ended_at)} for each in found]
    lines = (f"{minute(each.ended_at)}  {flat(each.title, limit=80)}" for each in found)
    talk = () if found else (worded("nobody has left a handoff here"),)
    show(plain, lines, talk=talk, as_json=as_json)
