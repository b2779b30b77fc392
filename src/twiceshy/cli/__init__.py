"""The command line: one verb a module, loaded when it is called. stdout is data, stderr is talk."""

from __future__ import annotations

from importlib import import_module

import click

from twiceshy import __version__
from twiceshy.core.errors import TwiceshyError
from twiceshy.wording import CHINESE, language, speak

# verb → what it does; the module of the same name holds the command
COMMANDS = {
    "install": "Connect a runtime, so that sessions recall and leave notes.",
    "uninstall": "Take twiceshy out of a runtime again.",
    "note": "Write a note.",
    "learn": "Write down a problem, its solution, and what to do next time.",
    "distill": "Learn from transcripts.",
    "recall": "Show what an agent would be told.",
    "inject": "Print what is known of a skill, for runtimes without hooks.",
    "checkpoint": "Write something down about a skill in passing.",
    "flush": "Keep the lessons that a session wrote down.",
    "extract-facts": "Make notes of the facts in a session file.",
    "add-decision": "Write down what was decided, and why.",
    "add-pattern": "Write down how things are done here.",
    "add-issue": "Write down what is wrong.",
    "resolve": "Say of an issue that it is resolved.",
    "reopen": "Say of an issue that it is open again.",
    "facts": "Count decisions, patterns and issues.",
    "keeper": "Count tool uses, and ask for a save as memory-keeper did.",
    "memory-set": "Set a page: project, architecture, conventions, a topic.",
    "memory-get": "Print a page, or how each of them begins.",
    "memory-list": "List the pages of a project and their size.",
    "save": "Save something where it belongs, and only once.",
    "reload": "Read again what is known of a project.",
    "todo": "List what is left to do, and suggest what is next.",
    "search": "Find notes by words and filters.",
    "memory-search": "Find a word in notes, pages and sessions, the newest first.",
    "handoff": "Leave word for the next session of this project.",
    "episodes": "List what sessions were about.",
    "tend": "Merge, promote, retire, expire and compress what is kept.",
    "compress": "Fold old sessions into archives; let old traces go.",
    "show": "Show one note, or all that a skill knows.",
    "list": "List notes.",
    "edit": "Change a note; its old wording stays in its history.",
    "pin": "Show a note first, and never retire it by itself.",
    "unpin": "Take a pin off.",
    "retire": "Show a note no longer; it can be restored.",
    "restore": "Show a retired note again.",
    "forget": "Erase a note everywhere.",
    "clear": "Retire many notes at once.",
    "move": "Move a note to another project or skill.",
    "project": "List projects, give one another name, or make two one.",
    "undo": "Take back the last change.",
    "history": "Show what changed, and when.",
    "why": "Tell where a note comes from and what became of it.",
    "effect": "Measure what notes do, and what they cost.",
    "replay": "Tell what would have been shown in time in old sessions.",
    "analyze": "Learn from what you edited, and count broken rules.",
    "correct": "List the error notebook, and how often rules were missed.",
    "review": "Decide about rules and notes that wait for you.",
    "reflect": "Look back at a week: what holds, what recurs, what may go.",
    "diary": "Write the diary of a day.",
    "compact-guide": "Tell whether now is a good moment to compact.",
    "mcp": "Serve notes to any client that speaks MCP.",
    "status": "Count what is kept.",
    "cost": "Count what models were asked for.",
    "reembed": "Find out what notes mean.",
    "doctor": "Check that everything is sound.",
    "check": "Look pages, commands, hooks and instruction files over.",
    "full-check": "Look everything over, also for what stands in two places.",
    "memory-health": "List pages and skills with what is wrong, and count the rest.",
    "overview": "List every command with a line on what it does.",
    "config": "Show or change settings.",
    "views": "Have notes as files that you can edit.",
    "backup": "Commit what was learned and push it to your git remote.",
    "recover": "Take in what your devices pushed; on a new one, all of it.",
    "sync": "Take in what other devices pushed, and push our own.",
    "export": "Write a bundle of everything.",
    "import": "Bring in what other programs kept, or a bundle.",
}
_KEYWORDS = {"import": "import_", "list": "list_"}
# What belongs to another entry point, which no module of the command line knows.
_ELSEWHERE = {"replay": "twiceshy.cli.replay", "mcp": "twiceshy.mcp.command"}


class LazyGroup(click.Group):
    """A group that imports the module of a verb only when the verb is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (click's signature)
        """Return the verbs, in the order in which people meet them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one verb."""
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        beside = f"twiceshy.cli.{_KEYWORDS.get(cmd_name, cmd_name).replace('-', '_')}"
        module = import_module(_ELSEWHERE.get(cmd_name, beside))
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  (click's signature)
        """List the verbs without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(described().items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb by either of its names, or name the one that was probably meant."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            args = [_verb_of(args[0], ctx), *args[1:]]
        return super().resolve_command(ctx, args)


def _verb_of(word: str, ctx: click.Context) -> str:
    from twiceshy.runtimes.command_table import named

    pair = named(word)
    if pair and pair.name in COMMANDS:
        return pair.name
    from difflib import get_close_matches

    close = get_close_matches(word, COMMANDS, n=1)
    guess = f"; did you mean {close[0]!r}?" if close else ""
    raise click.UsageError(f"no command is called {word!r}{guess}", ctx)


def described() -> dict[str, str]:
    """Return the line on what each verb does, in the language that people read here."""
    if spoken() != CHINESE:
        return COMMANDS
    from twiceshy.cli.aliases import in_chinese

    return {verb: in_chinese(verb) or english for verb, english in COMMANDS.items()}


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="twiceshy %(version)s")
def cli() -> None:
    """Memory for coding agents: what one session learned, the next one knows.

    Example: twiceshy note "Lock with uv lock --frozen before tagging" --skill release
    """


def run(argv: list[str]) -> int:
    """Run a command: 0 done, 1 the user can act on it, 2 called wrongly, 3 a bug of ours."""
    speak(spoken)
    try:
        result = cli.main(argv, prog_name="twiceshy", standalone_mode=False)
    except (TwiceshyError, click.ClickException, click.exceptions.Exit) as error:
        return _expected(error)
    except (click.Abort, KeyboardInterrupt):
        return complain("stopped; nothing was changed", "", code=130)
    except BrokenPipeError:
        return _mute()
    except Exception as error:  # noqa: BLE001  (the last door: a bug becomes a report)
        from twiceshy.cli.report import write_report

        path = write_report(error, argv)
        what = f"unexpected {type(error).__name__}; this is a bug"
        return complain(what, f"report: {path}", code=3)
    return result if isinstance(result, int) else 0


def spoken() -> str:
    """Return the language of what people read; a setting that makes no sense is complained about later."""
    import os

    from twiceshy.app import settings

    try:
        chosen = settings().text("language")
    except TwiceshyError:
        chosen = "auto"
    return language(chosen, os.environ)


def _expected(error: TwiceshyError | click.ClickException | click.exceptions.Exit) -> int:
    match error:
        case TwiceshyError():
            return complain(str(error), error.hint, code=1)
        case click.UsageError():
            where = error.ctx.command_path if error.ctx else "twiceshy"
            return complain(error.format_message(), f"see: {where} --help", code=2)
        case click.ClickException():
            return complain(error.format_message(), "", code=1)
        case click.exceptions.Exit():
            return error.exit_code


def complain(message: str, hint: str, *, code: int) -> int:
    """Say on stderr what is wrong and what to do, and return the exit code."""
    click.echo(f"twiceshy: {message}", err=True)
    if hint:
        click.echo(f"hint: {hint}", err=True)
    return code


def _mute() -> int:
    """Stop writing to a reader that went away, so that the interpreter does not complain either."""
    import os
    import sys

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
