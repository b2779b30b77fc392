"""Whether a command line repeats a line that failed, step by step.

A step that was not on the failed line may put right what failed there, so a line with such a step
is another line. What a step does is not guessed from its name.
"""

from __future__ import annotations

from twiceshy.core.value import Value
from twiceshy.shell.call_words import command_words
from twiceshy.shell.command_line import join_folder, parse_command_line

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from twiceshy.core.trigger import Trigger
    from twiceshy.shell.command_line import CommandLine, Redirection, SimpleCommand

    Line = tuple[SimpleCommand, ...]

_CUT = "…"
_MOVING = ("cd", "pushd")  # the reader gives the folder to the commands behind them
_CUTTING = ("head", "tail", "wc")  # behind a pipe they only shorten what is shown
_HERE = ("<<", "<<-")
_NOWHERE = "/dev/"
_DIGITS = "0123456789"
# Categories in which the call itself is wrong, so some of its words cannot matter.
_CALLED_WRONGLY = ("usage", "missing")
# Wrappers that change when or how fast a program runs, and not what it finds.
_SCHEDULING = frozenset(
    "command exec ionice nice nohup setsid stdbuf time timeout unbuffer".split()
)
_RAISING = ("sudo", "doas", "env")  # without options


class FailedLines(Value):
    """The lines of failed calls that a trigger is about, each as its steps.

    ``missing`` is the program that was not found, if that was the mistake.
    """

    trigger: Trigger
    lines: tuple[Line, ...]
    missing: str = ""

    def are_repeated_by(self, line: str, *, place: str = "") -> bool:
        """True if every step of a line was on one of the failed lines, in this order."""
        steps = read_steps(line, place)
        return bool(steps) and any(self._covers(known, steps) for known in self.lines)

    def _covers(self, known: Line, steps: Line) -> bool:
        if self.trigger.category not in _CALLED_WRONGLY and len(steps) != len(known):
            return False  # nothing says which of the steps failed
        at, is_blamed = 0, False
        for step in steps:
            while at < len(known) and not self._is_same(step, known[at]):
                at += 1
            if at == len(known):
                return False
            is_blamed = is_blamed or self._is_blamed(step)
            at += 1
        return is_blamed

    def _is_same(self, step: SimpleCommand, known: SimpleCommand) -> bool:
        if not _runs_alike(step, known, self.trigger):
            return False
        if step.sources == known.sources:
            return True
        if self.trigger.category not in _CALLED_WRONGLY:
            return False
        if self._is_blamed(step) and self._is_blamed(known):
            return self._differs_in_operands(step.words, known.words)
        return self._differs_in_numbers(step.words, known.words)

    def _is_blamed(self, step: SimpleCommand) -> bool:
        return set(self.trigger.words).issubset(command_words(step))

    def _differs_in_operands(self, words: Sequence[str], known: Sequence[str]) -> bool:
        """True if two calls of a program differ only in words that cannot put it right.

        A missing program is missing for whatever it is asked, except for what may only be asked to
        see if it is there. An unknown option is unknown for other operands as well; otherwise the
        value of an option may name another place.
        """
        if words[0] != known[0] or self.missing == words[0]:
            return words[0] == known[0] and _options_of(words).issubset(_options_of(known))
        is_option = any(term[0] == "-" for term in self.trigger.words)
        if len(words) != len(known) or (is_option and "--" in words):
            return False
        return all(
            word == other or self._is_operand(words, known, at, is_option=is_option)
            for at, (word, other) in enumerate(zip(words, known, strict=True))
        )

    def _differs_in_numbers(self, words: Sequence[str], known: Sequence[str]) -> bool:
        """True if a step that worked differs only in numbers that differed among failed lines."""
        return len(words) == len(known) and all(
            word == other
            or (_strip_digits(word) == _strip_digits(other) and self._has_varied(known, at))
            for at, (word, other) in enumerate(zip(words, known, strict=True))
        )

    def _is_operand(
        self, words: Sequence[str], known: Sequence[str], at: int, *, is_option: bool
    ) -> bool:
        """True if the words at a position may differ."""
        word, other = words[at], known[at]
        if word[:1] == "-" or other[:1] == "-":
            one, two = (each.partition("=") for each in (word, other))
            value_may_differ = is_option and one[1] == two[1] != ""
            return (one[0] == two[0] and value_may_differ) or _strip_digits(word) == _strip_digits(
                other
            )
        if any(term in each for term in self.trigger.words for each in (word, other)):
            return False
        belongs_to_option = words[at - 1][:1] == "-" or "=" in word or "=" in other
        if belongs_to_option and not is_option:
            return False
        return not (_is_name(word) or _is_name(other)) or self._has_varied(known, at)

    def _has_varied(self, known: Sequence[str], at: int) -> bool:
        """True if the failed calls that begin alike had different words at a position."""
        seen = {
            step.words[at]
            for line in self.lines
            for step in line
            if tuple(step.words[:at]) == tuple(known[:at]) and len(step.words) > at
        }
        return len(seen) > 1


def read_failed_lines(
    trigger: Trigger, lines: Iterable[str], *, place: str = "", missing: str = ""
) -> FailedLines:
    """Read the lines of failed calls; those that are not known as a whole are left out."""
    read = (read_steps(line, place) for line in dict.fromkeys(lines))
    return FailedLines(trigger, tuple(filter(None, read)), missing)


def read_steps(line: str, place: str = "") -> Line:
    """Return the steps of a line in order, each with its folder; empty if it cannot be known.

    Of a line with a here-document, or one that was cut, a part is not on record.
    """
    parsed = parse_command_line(line)
    steps = tuple(_walk_steps(parsed))
    signs = {each.sign.lstrip(_DIGITS) for step in steps for each in step.redirections}
    if _CUT in line or not parsed.is_complete or not signs.isdisjoint(_HERE):
        return ()
    return tuple(
        step.but(folder=_normalise_folder(join_folder(place, step.folder)))
        for step in steps
        if step.program not in _MOVING or step.redirections
    )


def _normalise_folder(path: str) -> str:
    """Return a folder without empty steps, and without steps that are taken back."""
    names: list[str] = []
    for name in path.split("/"):
        if name == ".." and names and names[-1] not in ("", ".."):
            names.pop()
        elif name not in ("", ".") or (not names and path[:1] == "/"):
            names.append(name)
    return "/".join(names)


def _walk_steps(line: CommandLine) -> Iterator[SimpleCommand]:
    is_piped = False
    for command in line.commands:
        if not (is_piped and command.program in _CUTTING and not _files_of(command, ">")):
            yield _without_script(command) if command.is_shell else command
        for inner in command.inner:
            yield from _walk_steps(inner)
        is_piped = command.operator == "|"


def _without_script(shell: SimpleCommand) -> SimpleCommand:
    """Return a shell without the script, whose commands are steps of their own."""
    options = [at for at, word in enumerate(shell.words) if word[:1] == "-" and "c" in word]
    end = options[0] + 1
    return shell.but(words=shell.words[:end], sources=shell.sources[:end])


def _runs_alike(step: SimpleCommand, known: SimpleCommand, trigger: Trigger) -> bool:
    """True if two steps run in the same folder and surroundings."""
    return (
        step.folder == known.folder
        and sorted(step.environment) == sorted(known.environment)
        and _changing_wrappers(step, trigger) == _changing_wrappers(known, trigger)
        and _files_of(step, ">").issubset(_files_of(known, ">"))
        and _files_of(step, "<") == _files_of(known, "<")
    )


def _changing_wrappers(step: SimpleCommand, trigger: Trigger) -> list[tuple[str, ...]]:
    """Return the wrappers that may change what becomes of a call."""
    bare = _RAISING if trigger.category in _CALLED_WRONGLY else ("env",)
    return [
        wrapper
        for wrapper in step.wrappers
        if wrapper[0] not in _SCHEDULING and not (len(wrapper) == 1 and wrapper[0] in bare)
    ]


def _files_of(step: SimpleCommand, arrow: str) -> frozenset[Redirection]:
    """Return the redirections to (>) or from (<) a file."""
    return frozenset(
        each
        for each in step.redirections
        if arrow in each.sign
        and not each.target.startswith(_NOWHERE)
        and not (each.sign[-1:] == "&" and (each.target[:1] or "-") in _DIGITS + "-")
    )


def _options_of(words: Sequence[str]) -> set[str]:
    return {_strip_digits(word) for word in words if word[:1] == "-"}


def _strip_digits(word: str) -> str:
    return word.rstrip(_DIGITS)


def _is_name(word: str) -> bool:
    """True if a word can be a subcommand: letters only, with dashes or colons between them."""
    letters = word.replace("-", "").replace("_", "").replace(":", "")
    return letters.isalpha()
