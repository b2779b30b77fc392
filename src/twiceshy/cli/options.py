"""What commands share: the open store, and the options for scope, project, day and filter."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from twiceshy import app as composition
from twiceshy.app import App, load_settings
from twiceshy.cli.store_fate import report_loss, report_rescue
from twiceshy.config.resolved import Config
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import parse_day
from twiceshy.core.note import KINDS, STATUSES, parse_kind
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.notes import find_by_name
from twiceshy.safety.names import check_name

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def combine_options(*options: Decorator) -> Decorator:
    """Combine options into one decorator; the help lists them in this order."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return add


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
project_option = click.option("--project", metavar="P", help="A path, name or id; default: here.")
skill_option = click.option("--skill", metavar="S", help="Name of the skill.")
yes_option = click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
needless_yes_option = click.option(
    "--yes", is_flag=True, expose_value=False, help="Accepted; the code that you type confirms it."
)
filter_options = combine_options(
    skill_option,
    project_option,
    click.option("--all", "-a", "everything", is_flag=True, help="All projects."),
    click.option(
        "--kind",
        type=click.Choice(list(KINDS)),
        multiple=True,
        help="Only this kind; may be repeated.",
    ),
    click.option("--type", "subtype", metavar="T", help="gotcha, fix, architecture …"),
    click.option("--tag", metavar="T", help="Only this tag."),
    click.option("--concept", metavar="C", help="Only this concept."),
    click.option("--file", metavar="PART", help="Only notes with a file path containing PART."),
    click.option(
        "--status",
        "--life",
        "status",
        type=click.Choice([*STATUSES, "any"]),
        help="Only this status; default: active and candidate.",
    ),
    click.option("--pinned", is_flag=True, help="Only pinned notes."),
    click.option("--since", metavar="DAY", help="Only notes learned on or after this day."),
)


def place_options(everywhere: str) -> Decorator:
    """Return the options --project and --everywhere; the text is the help of the latter."""
    everywhere_option = click.option("--everywhere", "-g", is_flag=True, help=everywhere)
    return combine_options(project_option, everywhere_option)


def scope_options(everywhere: str) -> Decorator:
    """Return the options --skill, --project and --everywhere."""
    return combine_options(skill_option, place_options(everywhere))


@contextmanager
def open_app(
    config: Config | None = None, *, tells_loss: bool = True, for_agents: bool = False
) -> Iterator[App]:
    """Open the configured store, and close it afterwards; say if it was gone while copies are there.

    With ``for_agents`` nothing is read that the gate holds: commands print that are meant for agents.
    """
    config = config or load_settings()
    was_there = os.path.lexists(config.store)
    with composition.open_app(config) as session:
        session.store.for_agents = session.store.for_agents or for_agents
        told = report_rescue(session, None)
        if tells_loss and not was_there:
            report_loss(config.store)
        yield session
        report_rescue(session, told)


class TextCommand(click.Command):
    """Command whose text argument may begin with a dash, like a bullet."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Move arguments with a bullet prefix behind the options."""
        bullets = [word for word in args if word[:2] in ("- ", "-\t")]
        others = [word for word in args if word not in bullets]
        if bullets and "--" not in others:
            others.append("--")
        return super().parse_args(ctx, [*others, *bullets])


def build_filter(app: App, **given: Any) -> NoteFilter:
    """Build a note filter from the values of ``filter_options``."""
    status = given["status"]
    return NoteFilter(
        projects=None if given["everything"] else list_visible_projects(app, given["project"]),
        skill=find_by_name.find_known_skill(app, given["skill"]) if given["skill"] else None,
        kinds=tuple(parse_kind(kind) for kind in given["kind"]),
        subtype=given["subtype"] or "",
        statuses=() if status == "any" else (status,) if status else ("active", "candidate"),
        concept=given["concept"] or "",
        file=given["file"] or "",
        tag=given["tag"] or "",
        pinned=True if given["pinned"] else None,
        since=parse_day_option(given["since"]) if given["since"] else 0,
    )


def resolve_scope(app: App, *, skill: str | None, project: str | None, everywhere: bool) -> Scope:
    """Return the scope given by --skill, --project and --everywhere."""
    if everywhere and project:
        raise click.UsageError("--everywhere and --project exclude each other")
    where = EVERYWHERE if everywhere else resolve_project(app, project)
    return Scope(where, check_name(skill, what="skill") if skill else "")


def resolve_project(app: App, given: str | None) -> str:
    """Return the project id for an id, name or path; default: the current project."""
    import os

    if given in (EVERYWHERE, "everywhere"):
        return EVERYWHERE
    if given is None or os.path.isdir(given):
        from twiceshy.app import identify_project

        return identify_project(os.path.join(app.cwd, given or "."), app).id
    return find_by_name.find_known_project(app, given, otherwise="or give a path")


def list_visible_projects(app: App, given: str | None) -> tuple[str, ...]:
    """Return the ids of a project and the global id, for finding its notes."""
    return find_by_name.visible_projects(app, resolve_project(app, given))


def parse_day_option(text: str) -> int:
    """Parse a day, or raise an error with the expected format."""
    try:
        return parse_day(text)
    except ValueError as error:
        raise click.BadParameter(f"{text!r} is no day; write it like 2026-11-02") from error
