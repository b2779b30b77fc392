"""What a session left open: a check or command that failed last, an interruption, listed items."""

from __future__ import annotations

from twiceshy.shell import READERS
from twiceshy.shell.command_line import parse_command_line
from twiceshy.shell.summary import shorten_words

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.shell.command_line import SimpleCommand

_MAX_COMMAND = 8_000
_MAX_SHOWN = 40
_MAX_LISTED = 6
# What a command checks, by a part of one of its first words.
_CHECKS = {
    "test": "test tests pytest jest vitest rspec tox nox spec specs e2e ctest unittest phpunit cypress playwright".split(),
    "lint": "lint eslint ruff clippy rubocop check fmt format credo shellcheck verify".split(),
    "build": "build tsc typecheck mypy compile dialyzer assemble".split(),
}
_FIRST_WORDS = 4
_GIT_READS = frozenset("diff log show status blame grep branch rev-parse ls-files".split())
_DONE_MARKS = ("[x]", "[X]", "✅", "✓", "☑", "~~")
_BULLETS = ("- ", "* ", "+ ", "• ")
_HEADINGS = (
    *("still open", "still to do", "still missing", "open items", "open points", "remaining", "left to do"),
    *("not done", "not yet done", "todo", "to do", "next steps", "what's left", "what is left", "outstanding"),
    *("待办", "未完成", "剩余", "剩下", "还没做", "尚未完成", "下一步"),
)  # fmt: skip


class FailedRuns:
    """The checks whose last run failed, and the last command if it failed."""

    def __init__(self) -> None:
        self._checks: dict[str, str] = {}
        self._last = ""

    def add_run(self, command: str, *, failed: bool) -> None:
        """Add a command that ran; what only reads decides nothing."""
        steps = list(parse_command_line(command[:_MAX_COMMAND]).list_steps())
        working = [step for step in steps if not _only_reads(step)]
        if not working:
            return
        checks = [(kind, step) for step in working if (kind := _find_check(step))]
        self._last = " ".join(working[-1].words) if failed else ""
        for kind, step in checks:
            if failed:
                self._last = self._checks[kind] = " ".join(step.words)
            else:
                self._checks.pop(kind, None)

    def forget(self) -> None:
        """Forget the failures: the work was committed as it is."""
        self._checks, self._last = {}, ""

    def name_last(self) -> str:
        """Return the command that failed last and never worked since; may be empty."""
        return next(reversed(self._checks.values()), "") or self._last


def name_command(command: str) -> str:
    """Return the first words of a command, without the folder that it is run in."""
    steps = parse_command_line(command[:_MAX_COMMAND]).list_steps()
    named = [step for step in steps if step.words and step.program != "cd"]
    return shorten_words(" ".join(named[0].words), _MAX_SHOWN) if named else ""


def is_check(command: str) -> bool:
    """True if a command tests, lints or builds: its failures are about the code."""
    steps = parse_command_line(command[:_MAX_COMMAND]).list_steps()
    return any(_find_check(step) for step in steps)


def list_open_items(text: str) -> list[str]:
    """Return the items below the last heading of a text that announces open work."""
    items: list[str] = []
    is_open = False
    for line in text.splitlines():
        bare = line.strip()
        item = _read_item(bare)
        if item:
            items += [item] if is_open and not bare.startswith(_DONE_MARKS) else []
        elif bare:
            is_open = _announces_open(bare)
            items = [] if is_open else items
    return [item for item in items if not any(mark in item for mark in _DONE_MARKS)][:_MAX_LISTED]


def _read_item(line: str) -> str:
    for bullet in _BULLETS:
        if line.startswith(bullet):
            return line[len(bullet) :].removeprefix("[ ]").replace("**", "").strip()
    number, dot, rest = line.partition(". ")
    return rest.replace("**", "").strip() if dot and number.isdecimal() else ""


def _announces_open(line: str) -> bool:
    """True for a heading or a lead-in such as ``Still open:``."""
    bare = line.strip("#*_ ").casefold().replace("’", "'")
    is_heading = line.startswith(("#", "**")) or bare.endswith((":", "："))
    return is_heading and bare.startswith(_HEADINGS)


def _only_reads(step: SimpleCommand) -> bool:
    if step.program == "git":
        return not _GIT_READS.isdisjoint(step.words[1:4])
    return step.program in READERS


def _find_check(step: SimpleCommand) -> str:
    """Return what kind of check a command is; empty if it is none."""
    plain = [word for word in step.words if not word.startswith("-")][:_FIRST_WORDS]
    parts = {part for word in plain for part in _split_name(word)}
    return next((kind for kind, names in _CHECKS.items() if not parts.isdisjoint(names)), "")


def _split_name(word: str) -> Iterator[str]:
    if "/" in word and not word.startswith(("./", "bin/", "node_modules/", ".venv/")):
        return
    name = word.rpartition("/")[2].casefold()
    for sign in ":._-":
        name = name.replace(sign, " ")
    yield from name.split()
