"""Traces: what a command line leaves behind."""

from __future__ import annotations

from twiceshy.shell.call_head import list_heads
from twiceshy.shell.call_words import call_words
from twiceshy.shell.command_line import parse_command_line
from twiceshy.shell.tokens import join_words

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.trigger import Trigger
    from twiceshy.shell.command_line import SimpleCommand

_LONGEST = 4_000
_NOWHERE = "/dev/"
_WRITERS = frozenset(
    "cp dd install ln mkdir mktemp mv patch rm rmdir rsync scp tar tee touch truncate unzip".split()
)
# Programs and the subcommands that change something; every other subcommand only looks.
_TABLE = """
git: add am apply checkout cherry-pick clone commit init merge mv pull push rebase reset restore revert rm stash switch tag worktree
gh glab: close comment create delete edit merge release rerun upload
docker podman: build compose create network push rm run start stop tag volume
npm pnpm yarn bun: add ci install link publish remove uninstall update upgrade
pip pip3 uv poetry cargo gem apt apt-get brew: add install publish remove sync
kubectl helm: apply create delete install patch replace rollout scale upgrade
terraform tofu: apply destroy import init
"""
# Programs that only look, whatever they are asked, and the subcommands of git that do.
_LOOKING = frozenset(
    """[ [[ : basename cat cd cut date df diff dirname do done du echo egrep else false fgrep fi file for
    grep head hostname id if jq less ls more nl od popd printf ps pushd pwd readlink realpath rg sleep
    stat strings tail test then tr tree true type uname wc which while whoami""".split()
)
_LOOKING_GIT = tuple(
    f"git {verb}" for verb in "blame describe diff grep log ls-files rev-parse show status".split()
)
# They look unless an argument begins like this.
_ACTING = {"find": ("-exec", "-ok", "-delete", "-f"), "sed": ("-i", "--in-place", "w")}


def only_looks(line: str) -> bool:
    """True if a command line is known to change nothing; False for every unknown program."""
    parsed = parse_command_line(line)
    return parsed.is_complete and all(map(_looks, parsed.walk_commands()))


def _looks(command: SimpleCommand) -> bool:
    if any(not path.startswith(_NOWHERE) for path in command.outputs) or not command.words:
        return False
    if command.program in _ACTING:
        return not any(word.startswith(_ACTING[command.program]) for word in command.arguments)
    heads = list_heads(join_words(command.words))
    return command.program in _LOOKING or (bool(heads) and heads[0] in _LOOKING_GIT)


def leaves_traces(line: str, trigger: Trigger) -> bool:
    """True if a command line that fails by a trigger leaves something behind.

    Programs before the failing one have run by then. The failing program itself changed something
    unless it was called wrongly: a program that knows no such option does nothing at all.
    """
    for command in parse_command_line(line[:_LONGEST]).list_steps():
        if _is_failing(command, trigger):
            return trigger.category != "usage" and _changes_something(command)
        if _changes_something(command):
            return True
    return False


def _is_failing(command: SimpleCommand, trigger: Trigger) -> bool:
    words = call_words({"command": join_words(command.words)})
    return any(all(term in part for term in trigger.words) for part in words)


def _changes_something(command: SimpleCommand) -> bool:
    if any(not path.startswith(_NOWHERE) for path in command.outputs):
        return True
    if command.program in _WRITERS:
        return True
    verbs = _changing_verbs().get(command.program, frozenset())
    return not verbs.isdisjoint(command.arguments)


def _changing_verbs() -> dict[str, frozenset[str]]:
    rows = (row.partition(":") for row in _TABLE.strip().splitlines())
    return {name: frozenset(verbs.split()) for names, _, verbs in rows for name in names.split()}
