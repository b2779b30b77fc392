"""Command line: load each command on its first call; stdout is data, stderr is messages."""

import os
import sys

import click

from twiceshy import __version__
from twiceshy.cli.lazy_group import LazyGroup, choose_language
from twiceshy.cli.output_error import print_error, report_output_error, silence_stream
from twiceshy.cli.safe_output import safe_streams
from twiceshy.core.errors import TwiceshyError
from twiceshy.notes.person import PersonNeededError, person_confirmed
from twiceshy.runtimes.callers import mark_agent
from twiceshy.wording import speak


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="twiceshy %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Memory for coding agents: lessons of one session reach the next.

    Example: twiceshy note "Lock with uv lock --frozen before tagging" --skill release
    """
    if ctx.invoked_subcommand is None:
        from twiceshy.cli.first_look import print_first_look

        print_first_look()


def run_command_line(argv: list[str]) -> int:
    """Run a command and return its exit code.

    0: done, 1: the user can fix the problem, 2: usage error, 3: a bug in twiceshy.
    """
    speak(lambda: choose_language(argv))
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
