"""The group of all commands: lazy imports, a help page in groups, names in two languages."""

from collections.abc import Sequence
from importlib import import_module

import click

from twiceshy.cli.verbs import COMMANDS, FACE, describe_in_chinese, find_module, find_verb
from twiceshy.core.errors import TwiceshyError
from twiceshy.wording import CHINESE, language, worded


class LazyGroup(click.Group):
    """Command group with lazy import of command modules."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (click's signature)
        """Return the command names in the order of the help page."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command with this name."""
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        held = vars(import_module(find_module(cmd_name)))
        name = cmd_name.replace("-", "_")
        command: click.Command = held.get("command") or held.get(name) or held[f"{name}_"]
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  (click's signature)
        """List the commands that most people need, in groups, without importing their modules."""
        described = describe_commands()
        headings = (
            worded("Every day"),
            worded("Set up"),
            worded("Proof"),
            worded("Move"),
            worded("More"),
        )
        for heading, verbs in zip(headings, FACE.values(), strict=True):
            with formatter.section(heading):
                formatter.write_dl([(verb, described[verb]) for verb in verbs])
        formatter.write_paragraph()
        formatter.write_text(worded("All commands, older names too: twiceshy help --all"))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command by its English or Chinese name, or suggest a similar name."""
        if args and not args[0].startswith("-"):
            args = [_resolve_verb(args[0], ctx), *args[1:]]
        return super().resolve_command(ctx, args)


def _resolve_verb(word: str, ctx: click.Context) -> str:
    if verb := find_verb(word):
        return verb
    from difflib import get_close_matches

    close = get_close_matches(word, COMMANDS, n=1)
    guess = f"; did you mean {close[0]!r}?" if close else ""
    raise click.UsageError(f"no command is called {word!r}{guess}", ctx)


def describe_commands() -> dict[str, str]:
    """Return the summary of each command in the language of the user."""
    if choose_language() != CHINESE:
        return COMMANDS
    return {verb: describe_in_chinese(verb) or english for verb, english in COMMANDS.items()}


def choose_language(words: Sequence[str] = ()) -> str:
    """Return the language of the Chinese name of a command, else the configured language.

    An invalid configuration is reported later.
    """
    import os

    if words and not words[0].isascii() and find_verb(words[0]):
        return CHINESE
    from twiceshy.app import load_settings

    try:
        chosen = load_settings().text("language")
    except TwiceshyError:
        chosen = "auto"
    return language(chosen, os.environ)
