"""``twiceshy keeper``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy import app
from twiceshy.cli.options import json_option
from twiceshy.cli.output import say, show
from twiceshy.core.errors import ConfigError
from twiceshy.recall.save_reminder import begin_anew, counted
from twiceshy.recall.save_reminder_text import due, farewell, reminder
from twiceshy.wording import worded

if TYPE_CHECKING:
    from twiceshy.config.resolved import Config


@click.command("keeper")
@click.argument("what", type=click.Choice(["check", "final", "reset"]))
@json_option
def command(*, what: str, as_json: bool) -> None:
    """Count tool uses of this project, and remind the agent to save.

    check counts one tool use, and prints the save steps after every keeper.save_interval tool
    uses; final prints the steps for the end of a session, and copies no transcript; final and
    reset both restart the counter. Hooks count automatically if keeper.banner is on. The banner is
    optional: lessons of sessions are captured without a reminder.

    Example: twiceshy keeper check
    """
    config = app.settings()
    project = app.identify(app.working_directory(), config).id
    interval = config.integer("keeper.save_interval")
    try:
        count, told = _done(what, config, project, interval)
    except OSError as error:
        raise ConfigError(
            f"the counter cannot be written: {error.strerror}",
            hint=f"{config.home} must be a folder that you may write to",
        ) from error
    plain = {"count": count, "interval": interval, "told": told or None}
    show(plain, [told] if told else (), as_json=as_json)
    if told or as_json:
        return
    if what == "check":
        say(worded("{count} of {interval} tool uses", count=count, interval=interval))
    else:
        say(worded("the counter of this project begins anew"))


def _done(what: str, config: Config, project: str, interval: int) -> tuple[int, str]:
    """Run an action; return the tool uses since the last save, and the reminder."""
    if what == "check":
        count = counted(config.home, project)
        return count % interval, reminder(interval) if due(count, interval) else ""
    begin_anew(config.home, project)
    return 0, farewell() if what == "final" else ""
