"""``twiceshy session``: past sessions, and what is learned from them."""

import click

from twiceshy.cli import episodes
from twiceshy.cli.handoff import diary
from twiceshy.cli.transcripts import compact_guide, distill
from twiceshy.cli.verb_group import add_verbs


@click.group("session", invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List past sessions, print one, or learn from their transcripts.

    Sessions of connected agents are learned from automatically when they end.

    Example: twiceshy session list
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


add_verbs(
    command,
    {
        "list": episodes.command,
        "learn": distill,
        "diary": diary,
        "compact-guide": compact_guide,
    },
)
