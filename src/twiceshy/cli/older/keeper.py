"""``twiceshy keeper``."""

import os

import click

from twiceshy import app
from twiceshy.cli.options import json_option
from twiceshy.cli.output import print_result, print_worded
from twiceshy.config.resolved import Config
from twiceshy.core.errors import ConfigError
from twiceshy.places.project import identify_project
from twiceshy.recall.save_reminder import count_tool_use, reset_counter
from twiceshy.recall.save_reminder_text import is_reminder_due, render_farewell, render_reminder


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
    config = app.load_settings()
    project = _find_project(config)
    interval = config.integer("keeper.save_interval")
    try:
        count, told = _run_action(what, config, project, interval)
    except OSError as error:
        raise ConfigError(
            f"the counter cannot be written: {error.strerror}",
            hint=f"{config.home} must be a folder that you may write to",
        ) from error
    plain = {"count": count, "interval": interval, "told": told or None}
    print_result(plain, [told] if told else (), as_json=as_json)
    if told or as_json:
        return
    if what == "check":
        print_worded("{count} of {interval} tool uses", count=count, interval=interval)
    else:
        print_worded("the counter of this project begins anew")


def _find_project(config: Config) -> str:
    """Return the project that is counted; a store is opened, and never made."""
    if not os.path.exists(config.store):
        return identify_project(app.working_directory(), cache=None).id
    with app.open_app(config) as wired:
        return wired.current_project().id


def _run_action(what: str, config: Config, project: str, interval: int) -> tuple[int, str]:
    """Run an action; return the tool uses since the last save, and the reminder."""
    if what == "check":
        count = count_tool_use(config.home, project)
        return count % interval, render_reminder(interval) if is_reminder_due(
            count, interval
        ) else ""
    reset_counter(config.home, project)
    return 0, render_farewell() if what == "final" else ""
