"""Command line: load each command on its first call; stdout is data, stderr is messages."""

import os
import sys
from importlib import import_module

import click

from twiceshy import __version__
from twiceshy.cli.output_error import print_error, report_output_error, silence_stream
from twiceshy.cli.safe_output import safe_streams
from twiceshy.cli.verbs import COMMANDS, describe_in_chinese, find_module, find_verb
from twiceshy.core.errors import TwiceshyError
from twiceshy.notes.person import PersonNeededError, person_confirmed
from twiceshy.runtimes.callers import mark_agent
from twiceshy.wording import CHINESE, language, speak


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
        """List the commands without importing their modules."""
        with formatter.section("Commands"):
            formatter.write_dl(list(describe_commands().items()))

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


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="twiceshy %(version)s")
def cli() -> None:
    """Memory for coding agents: lessons of one session reach the next.

    Example: twiceshy note "Lock with uv lock --frozen before tagging" --skill release
    """


def run_command_line(argv: list[str]) -> int:
    """Run a command and return its exit code.

    0: done, 1: the user can fix the problem, 2: usage error, 3: a bug in twiceshy.
    """
    speak(choose_language)
    mark_agent(os.environ)
    with safe_streams():
        return _run_and_report(argv)


def _run_and_report(argv: list[str]) -> int:
    try:
        result = _run_for_person(argv)
    except (TwiceshyError, click.ClickException, click.exceptions.Exit) as error:
        return _report_expected_error(error)
    except (click.Abort, KeyboardInterrupt):
        return print_error("stopped; nothing was changed", "", code=130)
    except BrokenPipeError:
        silence_stream(sys.stdout)
        return 0
    except Exception as error:  # noqa: BLE001  (the last door: a bug becomes a report)
        code = report_output_error(error) if isinstance(error, OSError) else None
        return _report_bug(error, argv) if code is None else code
    return result if isinstance(result, int) else 0


def _run_for_person(argv: list[str]) -> object:
    """Run a command; one that needs a person asks at the terminal, and runs again as that person's."""
    try:
        return cli.main(argv, prog_name="twiceshy", standalone_mode=False)
    except PersonNeededError as needed:
        from twiceshy.cli.person import confirm_person

        confirm_person(needed)
    with person_confirmed():
        return cli.main(argv, prog_name="twiceshy", standalone_mode=False)


def choose_language() -> str:
    """Return the configured language; an invalid configuration is reported later."""
    import os

    from twiceshy.app import load_settings

    try:
        chosen = load_settings().text("language")
    except TwiceshyError:
        chosen = "auto"
    return language(chosen, os.environ)


def _report_expected_error(
    error: TwiceshyError | click.ClickException | click.exceptions.Exit,
) -> int:
    match error:
        case TwiceshyError():
            return print_error(str(error), error.hint, code=1)
        case click.UsageError():
            where = error.ctx.command_path if error.ctx else "twiceshy"
            return print_error(error.format_message(), f"see: {where} --help", code=2)
        case click.ClickException():
            return print_error(error.format_message(), "", code=1)
        case click.exceptions.Exit():
            return error.exit_code


def _report_bug(error: Exception, argv: list[str]) -> int:
    from twiceshy.cli.report import write_report

    path = write_report(error, argv)
    what = f"unexpected {type(error).__name__}; this is a bug"
    return print_error(what, f"report: {path}", code=3)
