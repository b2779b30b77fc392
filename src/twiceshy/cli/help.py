"""``twiceshy help``."""

import click

from twiceshy.cli.older.overview import print_overview
from twiceshy.cli.options import json_option


@click.command("help")
@click.argument("words", nargs=-1, metavar="[COMMAND ...]")
@click.option("--all", "everything", is_flag=True, help="Every command, older names too.")
@json_option
@click.pass_context
def command(
    ctx: click.Context, *, words: tuple[str, ...], everything: bool, as_json: bool
) -> None:
    """Show the commands that most people need, or how to use one.

    With --all: every command with its Chinese name.

    Example: twiceshy help note
    """
    if everything or as_json:
        print_overview(as_json=as_json)
        return
    shown = ctx.find_root()
    for word in words:
        group = shown.command
        if not isinstance(group, click.Group):
            raise click.UsageError(f"{shown.command_path} has no commands of its own", shown)
        name, found, _ = group.resolve_command(shown, [word])
        if found is None:
            raise click.UsageError(f"no command is called {word!r}", shown)
        shown = click.Context(found, shown, name, **found.context_settings)
    click.echo(shown.get_help())
