"""``twiceshy handoff``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, yes_option
from twiceshy.cli.output import print_json, say
from twiceshy.core.errors import NotFoundError
from twiceshy.core.moment import day, stamp
from twiceshy.core.text import clean, one_line
from twiceshy.project.handoff.handing import filled, hand_over, handoffs, last_handoff
from twiceshy.project.handoff.rules import Handoff, page, topic_of
from twiceshy.wording import worded

if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.evidence import Episode


@click.command("handoff")
@click.argument("topic", required=False)
@click.option("--status", default="", help="Where the work stands, in one line.")
@click.option("--done", multiple=True, help="What was done; may be given again.")
@click.option("--left", multiple=True, help="What is left to do, the next step first.")
@click.option("--decision", "decisions", multiple=True, help="What was decided, and why.")
@click.option("--file", "files", multiple=True, help="A file that matters now.")
@click.option("--text", default="", help="What else the next session must know; - reads stdin.")
@click.option("--draft", is_flag=True, help="Print what would be handed over, and keep nothing.")
@click.option("--show", is_flag=True, help="Print the last handoff, or the one on TOPIC.")
@click.option("--list", "listed", is_flag=True, help="List what was handed over here.")
@yes_option
@json_option
def command(
    *,
    topic: str | None,
    draft: bool,
    show: bool,
    listed: bool,
    yes: bool,
    as_json: bool,
    **told: str | tuple[str, ...],
) -> None:
    """Leave word for the next session of this project: it is shown once, to whoever comes next.

    What is not said is filled in from what is known of the session, its decisions and open tasks.
    A handoff on the same TOPIC is brought up to date, and shown again.

    Example: twiceshy handoff parser --status "half of it is moved" --left "move the lexer"
    """
    with opened() as app:
        if listed:
            _list(handoffs(app), as_json=as_json)
        elif show:
            _show(app, topic or "", as_json=as_json)
        else:
            _hand_over(app, topic or "", told, draft=draft, yes=yes, as_json=as_json)


def _hand_over(
    app: App,
    topic: str,
    told: dict[str, str | tuple[str, ...]],
    *,
    draft: bool,
    yes: bool,
    as_json: bool,
) -> None:
    if told["text"] == "-":
        told["text"] = sys.stdin.read()
    said = Handoff.of(told)
    session = app.store.author
    ready = filled(app, said, session=session)
    if draft or (said.empty and not yes and not _agreed(ready, topic)):
        _print(ready, topic, day(app.store.now()), as_json=as_json)
        return
    episode = hand_over(app, ready, session=session, topic=topic)
    if as_json:
        print_json({"id": episode.id, "topic": topic or None, **ready.fields()})
        return
    click.echo(worded("handed over: {title}", title=clean(episode.title)))


def _agreed(ready: Handoff, topic: str) -> bool:
    """Ask before words are kept that nobody has said; without a terminal they are only printed."""
    if ready.empty or not sys.stdin.isatty():
        return False
    click.echo(page(ready, topic=topic, day=""))
    return click.confirm(worded("Hand this over?"), default=True, err=True)


def _show(app: App, topic: str, *, as_json: bool) -> None:
    found = last_handoff(app, topic)
    if found is None:
        raise NotFoundError(
            worded("nobody has left a handoff here"), hint=worded("leave one: twiceshy handoff")
        )
    left, episode = found
    _print(left, topic_of(episode), day(episode.ended_at), as_json=as_json)


def _print(handoff: Handoff, topic: str, when: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"topic": topic or None, "day": when, **handoff.fields()})
    else:
        click.echo(clean(page(handoff, topic=topic, day=when)))


def _list(found: list[Episode], *, as_json: bool) -> None:
    if as_json:
        print_json([each.fields() | {"ended_at": stamp(each.ended_at)} for each in found])
        return
    for each in found:
        when = stamp(each.ended_at)[:16].replace("T", " ")
        click.echo(f"{when}  {one_line(clean(each.title), limit=80)}")
    if not found:
        say(worded("nobody has left a handoff here"))
