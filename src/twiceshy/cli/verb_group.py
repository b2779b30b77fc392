"""A group of commands that are also verbs of their own."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click


def add_verbs(group: click.Group, verbs: dict[str, click.Command]) -> None:
    """Add commands to a group under new names; their help names them as the group does."""
    for name, command in verbs.items():
        known = copy(command)
        known.name = name
        known.help = (command.help or "").replace(
            f"twiceshy {command.name}", f"twiceshy {group.name} {name}"
        )
        group.add_command(known)
