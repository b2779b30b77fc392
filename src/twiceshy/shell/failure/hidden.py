"""Decide by who printed it: a program at work, one whose success is known, or one that only reads.

An exit status of zero speaks for the last command only: what stands before ``|``, ``;`` or ``||`` may
have failed.
"""

from __future__ import annotations

from twiceshy.core.patterns import pattern
from twiceshy.core.value import Value
from twiceshy.shell.command_line import parse_command_line
from twiceshy.shell.failure import signs

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from twiceshy.shell.command_line import CommandLine, SimpleCommand

_ENOUGH = 5
_MOST = 60_000  # characters from the end; Claude Code keeps half of that
_TESTING = ("test", "spec")
_COLOURS = r"\x1b\[[0-9;?]*[A-Za-z]"

# Their output is what somebody else wrote, and an error word in it tells nothing.
_READERS = frozenset(
    """[ [[ : ack ag alias awk base64 basename bat break case cat cd chmod chown clear cmp column comm
    command continue cp curl cut date declare df diff dig dirname done du echo egrep env esac exit export fd
    fgrep fi file find for function gawk git-grep grep head hexdump history host hostname id jobs
    journalctl jq kill less ln local look ls lsof man md5 md5sum mkdir mktemp more mv nl nslookup od
    open pgrep ping pkill popd printenv printf ps pushd pwd read readlink realpath return rev rg rm
    rmdir sed select set sha256sum shasum sleep sort source stat strings tac tail tee time times top touch
    tput tr trap tree true type uname uniq unset wait wc wget whatis whereis which whoami xxd
    xmllint yes yq zcat zgrep zless""".split()
)
# Programs that do one thing or another: with these words they only show.
_SHOWING = {
    "git": frozenset(
        """blame branch cat-file config describe diff for-each-ref grep help log ls-files ls-remote
        ls-tree merge-base name-rev reflog remote rev-list rev-parse shortlog show show-ref status
        tag var version whatchanged worktree""".split()
    ),
    "gh": frozenset("api checks diff list search status view".split()),
    "glab": frozenset("api diff list status trace view".split()),
    "docker": frozenset(
        "events history images info inspect logs port ps stats top version".split()
    ),
    "podman": frozenset(
        "events history images info inspect logs port ps stats top version".split()
    ),
    "kubectl": frozenset("api-resources describe events explain get logs top version".split()),
    "go": frozenset("doc env help list version".split()),
    "cargo": frozenset("help metadata search tree version".split()),
    "npm": frozenset("help info list ls outdated search show view".split()),
    "brew": frozenset("info list search".split()),
    "pip": frozenset("help list show".split()),
    "systemctl": frozenset("cat list-units show status".split()),
}
_HELP = frozenset("--help -h --version -V".split())


class Part(Value):
    """A command, and whether its exit status is unknown."""

    command: SimpleCommand
    hidden: bool

    @property
    def reads(self) -> bool:
        """True if the program shows what others wrote, and does nothing that could fail."""
        program, words = self.command.program, self.command.arguments
        if program in _READERS or not _HELP.isdisjoint(words):
            return True
        showing = _SHOWING.get(program, frozenset())
        return not showing.isdisjoint([word for word in words if word[:1] != "-"][:2])


def telling_lines(command: str, output: str) -> list[str]:
    """Return up to five lines that tell of a failure; none if the command did well, or only read."""
    lines = _printed(output[-_MOST:])
    joints = ("", "&&", "|") if "pipefail" in command else ("", "&&")
    everything = list(_parts(parse_command_line(command), joints))
    unseen = [part for part in everything if part.hidden]
    if any(not part.reads for part in unseen):
        return _chosen(_of_unseen(lines, everything, asked="$?" in command))
    if any(not part.reads for part in everything):
        return _chosen(_of_seen(lines))
    return _chosen(_of_readers(lines, unseen))


def _parts(line: CommandLine, joints: Sequence[str], *, hidden: bool = False) -> Iterator[Part]:
    """Yield the programs of a line, inner ones too; a shell gives way to its script.

    ``joints`` are the operators through which the status of the line speaks for what stands before.
    """
    for behind, command in enumerate(reversed(line.commands)):
        hidden = hidden or (command.operator not in joints if behind else command.operator == "&")
        if command.words and not command.is_shell:
            yield Part(command, hidden)
        for inner in command.inner:
            yield from _parts(inner, joints, hidden=hidden)


def _of_unseen(lines: Sequence[str], everything: Iterable[Part], *, asked: bool) -> list[str]:
    """Return what tells of failure where the status of a program at work is unknown."""
    found = [*signs.findings(lines), *(signs.echoed(lines) if asked else ())]
    working = [part.command.words for part in everything if not part.reads]
    testing = any(sign in word for words in working for word in words for sign in _TESTING)
    if found or testing or signs.clean(lines):
        return found
    return list(signs.complaints(lines))


def _of_seen(lines: Sequence[str]) -> list[str]:
    """Return what contradicts the status: wrappers lose the one of the program that they start."""
    return [] if signs.clean(lines) else list(signs.verdicts(lines))


def _of_readers(lines: Sequence[str], unseen: Iterable[Part]) -> list[str]:
    """Return what readers say in their own name; with ``ls`` one asks whether there is a file."""
    programs = {part.command.program for part in unseen} - {"", "ls"}
    return list(signs.own(lines, programs)) if programs else []


def _printed(output: str) -> list[str]:
    """Return the lines as a terminal shows them, without colours."""
    if "\x1b" in output:
        output = pattern(_COLOURS).sub("", output)
    return [line.rstrip() for line in output.splitlines()]


def _chosen(lines: Iterable[str]) -> list[str]:
    """Return a few different lines; one of a single word only if there is nothing else."""
    once = list(dict.fromkeys(lines))
    return ([line for line in once if len(line.split()) > 1] or once)[:_ENOUGH]
