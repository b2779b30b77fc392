"""Judge output by its printer: a working program, a known success, or a reader.

Exit status 0 speaks only for the last command: commands before ``|``, ``;`` or ``||`` may
have failed.
"""

from __future__ import annotations

from twiceshy.core.patterns import compile_pattern
from twiceshy.shell import READERS
from twiceshy.shell.command_line import base_name, parse_command_line
from twiceshy.shell.failure import signs

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from twiceshy.shell.command_line import CommandLine, SimpleCommand

    Part = tuple[SimpleCommand, bool]

_ENOUGH = 5
_MOST = 60_000  # characters from the end; Claude Code keeps half of that
_TESTING = ("test", "spec")
_COLOURS = r"\x1b\[[0-9;?]*[A-Za-z]"

# Programs that do one thing or another: with these words they only show.
_CONTAINERS = "events history images info inspect logs port ps stats top version"
_SHOWING_WORDS = {
    "git": "blame branch cat-file config describe diff for-each-ref grep help log ls-files ls-remote"
    " ls-tree merge-base name-rev reflog remote rev-list rev-parse shortlog show show-ref status"
    " tag var version whatchanged worktree",
    "gh": "api checks diff list search status view",
    "glab": "api diff list status trace view",
    "docker": _CONTAINERS,
    "podman": _CONTAINERS,
    "kubectl": "api-resources describe events explain get logs top version",
    "go": "doc env help list version",
    "cargo": "help metadata search tree version",
    "npm": "help info list ls outdated search show view",
    "brew": "info list search",
    "pip": "help list show",
    "systemctl": "cat list-units show status",
}
_SHOWING = {program: frozenset(words.split()) for program, words in _SHOWING_WORDS.items()}
_HELP = frozenset("--help -h --version -V".split())


def find_telling_lines(command: str, output: str, *, is_status_known: bool = True) -> list[str]:
    """Return up to five lines of a failure; empty if the command worked or only read.

    An unknown exit status speaks for no command of the line.
    """
    lines = _displayed_lines(output[-_MOST:])
    joints = ("", "&&", "|") if "pipefail" in command else ("", "&&")
    line = parse_command_line(command)
    everything = list(_programs_with_status(line, joints, hidden=not is_status_known))
    working = [(each, hidden) for each, hidden in everything if not _only_reads(each)]
    if any(hidden for _, hidden in working):
        return _choose_lines(
            _lines_of_unseen(lines, [each for each, _ in working], asked="$?" in command)
        )
    if working:
        # wrappers lose the status of their program: its verdict counts
        clean = signs.has_clean_count(lines)
        names = _program_names(each for each, _ in working)
        return [] if clean else _choose_lines(signs.find_verdicts(lines, names))
    # readers complain about themselves; ``ls`` only asks for a file
    unseen = {each.program for each, hidden in everything if hidden} - {"", "ls"}
    return _choose_lines(signs.find_own_complaints(lines, unseen)) if unseen else []


def _programs_with_status(
    line: CommandLine, joints: Sequence[str], *, hidden: bool = False
) -> Iterator[Part]:
    """Yield the programs of a line, inner ones included, with True for an unknown status.

    ``joints`` are operators through which the line's status speaks for earlier commands.
    """
    for behind, command in enumerate(reversed(line.commands)):
        hidden = hidden or (command.operator not in joints if behind else command.operator == "&")
        if command.words and not command.is_shell:
            yield command, hidden
        for inner in command.inner:
            yield from _programs_with_status(inner, joints, hidden=hidden)


def _only_reads(command: SimpleCommand) -> bool:
    """True if a program only shows foreign text, and cannot fail itself."""
    if command.program in READERS or not _HELP.isdisjoint(command.arguments):
        return True
    showing = _SHOWING.get(command.program, frozenset())
    return not showing.isdisjoint([word for word in command.arguments if word[:1] != "-"][:2])


def _lines_of_unseen(
    lines: Sequence[str], working: Sequence[SimpleCommand], *, asked: bool
) -> list[str]:
    """Return failure lines of a working program with unknown status."""
    findings = signs.find_findings(lines, _program_names(working))
    found = [*findings, *(signs.find_echoed_status(lines) if asked else ())]
    testing = any(sign in word for each in working for word in each.words for sign in _TESTING)
    if found or testing or signs.has_clean_count(lines):
        return found
    return list(signs.find_complaints(lines))


def _program_names(commands: Iterable[SimpleCommand]) -> set[str]:
    """Return the names of programs and their wrappers."""
    return {base_name(words[0]) for each in commands for words in (each.words, *each.wrappers)}


def _displayed_lines(output: str) -> list[str]:
    """Return lines as displayed, without colours."""
    if "\x1b" in output:
        output = compile_pattern(_COLOURS).sub("", output)
    return [line.rstrip() for line in output.splitlines()]


def _choose_lines(lines: Iterable[str]) -> list[str]:
    """Return a few distinct lines; single words only as a last resort."""
    once = list(dict.fromkeys(lines))
    return ([line for line in once if len(line.split()) > 1] or once)[:_ENOUGH]
