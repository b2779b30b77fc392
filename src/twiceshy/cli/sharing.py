"""What backup, recover and sync have in common: where the remote is, and what is said afterwards."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from twiceshy.app import by_agent
from twiceshy.cli.config import set_setting
from twiceshy.cli.export import watched
from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option
from twiceshy.cli.output import print_json, say
from twiceshy.core.note import handle
from twiceshy.core.text import clean, one_line
from twiceshy.sync.clone import shared
from twiceshy.sync.rules import SyncError
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeVar

    from twiceshy.sync.run import Synced, Way

    T = TypeVar("T")

_FEW = 5


def sharing_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add what all three verbs take."""
    for option in (
        json_option,
        click.option("--accept", is_flag=True, help="Go on although history was written anew."),
        click.option("--remote", metavar="URL", help="Your git repository; kept for next time."),
        click.option("--plan", is_flag=True, help="Fetch, and only say what would be done."),
    ):
        function = option(function)
    return function


def share(way: Way, *, remote: str | None, as_json: bool) -> None:
    """Do what a verb is for, and tell what came of it."""
    if by_agent() and (remote or way.accept or way.purge):
        raise SyncError(
            "where notes go, and what becomes of their history, is yours to say",
            hint="run it in a terminal of your own",
        )
    address = os.path.abspath(remote) if remote and os.path.isdir(remote) else remote or ""
    with opened() as app:
        done = shared(app, way.but(watch=_watch, tell=_tell), remote=address)
    if address and not way.plan:
        set_setting("sync.remote", address)
    if as_json:
        plain = {name: value for name, value in done.fields().items() if name != "brought"}
        print_json({"planned": way.plan, **plain, **done.brought.fields()})
        return
    for text in _lines(done):
        click.echo(text)
    for text in _remarks(done, plan=way.plan):
        say(text)


def _watch(items: Sequence[T], label: str) -> Iterator[T]:
    return watched(items, label, total=len(items))


def _tell(step: str) -> None:
    if sys.stderr.isatty():
        say(f"{step} …")


def _lines(done: Synced) -> Iterator[str]:
    brought = done.brought
    counts = {
        "sent": done.sent,
        "new": len(brought.new),
        "changed": len(brought.changed),
        "merged": len(brought.merged),
        "forgotten": len(brought.forgotten),
        "waiting": len(brought.waiting),
        "refused": len(brought.refused),
        "episodes": brought.episodes,
    }
    for what, count in counts.items():
        if count:
            yield f"{what + ':':<10} {count}"
    if not any(counts.values()):
        yield worded("everything is the same on both sides")


def _remarks(done: Synced, *, plan: bool) -> Iterator[str]:
    """Say what someone may want to do something about."""
    brought = done.brought
    for note in brought.conflicts[:_FEW]:
        yield worded(
            "{note} was edited on two devices: the later wording stands, the other waits in: twiceshy review",
            note=handle(note),
        )
    for name, why in list(brought.refused.items())[:_FEW]:
        what = one_line(clean(name), limit=60)
        yield worded("left out {name}: {why}", name=what, why=one_line(clean(why), limit=120))
    if brought.waiting:
        yield worded("rules from other devices wait for you: twiceshy review --accept-all rules")
    if plan:
        yield worded("nothing was changed")
    elif brought.new or brought.changed:
        yield worded("to take back what arrived: twiceshy undo")
