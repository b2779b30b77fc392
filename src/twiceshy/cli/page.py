"""``twiceshy page``: the pages of a project."""

import click

from twiceshy.cli.older import memory_set
from twiceshy.cli.older.pages import memory_get, memory_list
from twiceshy.cli.verb_group import add_verbs


@click.group("page", invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List, print and set the pages of a project.

    Pages hold what stays true: project, architecture, conventions, and one for each topic that
    you name.

    Example: twiceshy page set conventions "Tabs, not spaces."
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


add_verbs(command, {"list": memory_list, "show": memory_get, "set": memory_set.command})
