"""What ``twiceshy`` prints without a command: this project's memory in five lines."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from twiceshy.app import load_settings
from twiceshy.cli.options import open_app
from twiceshy.runtimes.installers import list_connected_runtimes
from twiceshy.upkeep.first_look import look_first
from twiceshy.wording import worded

if TYPE_CHECKING:
    from twiceshy.effect.week import RecentWork
    from twiceshy.upkeep.first_look import FirstLook


def print_first_look() -> None:
    """Print the state of this project's memory and the next step; creates no store."""
    config = load_settings()
    if not os.path.exists(config.store):
        is_connected = bool(list_connected_runtimes(config.home))
        click.echo(
            worded("twiceshy remembers nothing yet; the next session of your agent begins.")
            if is_connected
            else worded("twiceshy remembers nothing yet: no agent is connected.")
        )
        click.echo(_describe_step("replay" if is_connected else "install"))
        click.echo(worded("help:      twiceshy help"))
        return
    with open_app(config) as app:
        found = look_first(app)
    for line in _format_look(found):
        click.echo(line)


def _format_look(found: FirstLook) -> Iterator[str]:
    counts = found.counts
    yield worded(
        "{project}: notes: {note}, rules: {rule}, open tasks: {task}, pages: {page}",
        project=found.project,
        **counts,
    )
    agents = ", ".join(found.runtimes) or worded("none")
    yield worded("agents:    {agents}", agents=agents)
    yield describe_recent_work(found.recent)
    yield worded("waiting:   {count} for your review", count=found.waiting)
    yield _describe_step(found.next_step)


def describe_recent_work(recent: RecentWork) -> str:
    """Describe what the memory did in the last days, in one line."""
    return worded(
        "last week: told {told} times, heeded {heeded} (before the mistake {prevented}, at the"
        " error {repaired}), stopped {stopped} calls, learned {learned}",
        **{name: value for name, value in recent.fields().items() if name != "days"},
    )


def _describe_step(verb: str) -> str:
    steps = {
        "install": worded("next:      twiceshy install --plan   shows how agents are connected"),
        "project": worded("next:      twiceshy project join     if this checkout is yours"),
        "review": worded("next:      twiceshy review           decide about what waits"),
        "list": worded("next:      twiceshy list             read what your agents are told"),
        "replay": worded("next:      twiceshy replay           what memory would have saved you"),
    }
    return steps[verb]
