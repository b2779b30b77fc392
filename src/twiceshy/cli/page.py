"""``twiceshy page``: the pages of a project."""

import click

from twiceshy.cli.older import memory_set
from twiceshy.cli.older.pages import memory_get, memory_list
from twiceshy.cli.verb_group import add_verbs


@click.group("page")
def command() -> None:
    """List, print and set the pages of a project.

    Pages hold what stays true: project, architecture, conventions, and one for each topic that
    you name.

    Example: twiceshy page set conventions "Tabs, not spaces."
    """


add_verbs(command, {"list": memory_list, "show": memory_get, "set": memory_set.command})
