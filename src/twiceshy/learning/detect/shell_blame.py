"""Find the word of a command line that the shell itself refused, and the program it was given to.

A shell expands patterns, ``=name`` and ``!history`` before it starts anything. Its errors are
about a word, and never about the program that would have been started next.
"""

from __future__ import annotations

import re

from twiceshy.core.value import Value
from twiceshy.shell import IDLE
from twiceshy.shell.call_head import list_heads
from twiceshy.shell.call_words import EQUALS, GLOB
from twiceshy.shell.command_line import parse_command_line
from twiceshy.shell.tokens import join_words

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Literal

    from twiceshy.shell.command_line import SimpleCommand
    from twiceshy.shell.tool_call import ToolCall

    Expansion = Literal["pattern", "equals", "condition", "history"]

_SHELL = r"^(?:\(eval\)|[\w./-]*\b(?:zsh|bash|sh))(?::[^\s:]*)*: (?:line \d+: )?"
_PATTERN = re.compile(r"no matches found: (\S+)")
_EQUALS = re.compile(_SHELL + r"(=*[^\s:=]*) not found$")
_CONDITION = re.compile(
    r"(?:\[|\btest)(?::\d+)?: (?:unknown condition: (\S+)|(\S+): unexpected operator)"
)
_HISTORY = re.compile(r"event not found: (\S+)|(?:^|\s)!(\S+): event not found")
_READ_ONLY = re.compile(r"read-only variable: \w|: readonly variable$")
_SYNTAX = re.compile(_SHELL + "(?:parse|syntax) error")
_QUOTES = frozenset("'\"\\`")
_GLOBS = frozenset("*?[")
_TESTS = ("[", "[[", "test")
_BRACKETS = {"[": "[ … ]", "[[": "[[ … ]]"}
_FILES = frozenset("cp mv rm".split()) | IDLE  # given files, which ``find`` may find
_LONGEST = 40  # characters of a text that is shown quoted
_LOOPS = frozenset("for select case".split())


class ShellBlame(Value):
    """A word that a shell refused to expand, and the command that it was an argument of."""

    expansion: Expansion
    word: str
    command: SimpleCommand

    @property
    def is_pattern(self) -> bool:
        """True if the word has signs that stand for other characters."""
        return not _GLOBS.isdisjoint(self.word)

    @property
    def is_about_files(self) -> bool:
        """True if the word was to name files for a program that looks, copies or removes."""
        is_star = self.expansion == "pattern" and "*" in self.word
        return is_star and self.command.program in _FILES

    @property
    def is_operand(self) -> bool:
        """True if files are looked for by the shell, and nothing would be there when quoted."""
        is_flag = self.word[:1] == "-"
        return self.is_about_files and not is_flag and self.command.program != "find"

    @property
    def head(self) -> str:
        """Return the program with its subcommand."""
        if self.command.program in _BRACKETS:
            return _BRACKETS[self.command.program]
        return next(iter(list_heads(join_words(self.command.words))), self.command.program)


def speaks_for_shell(line: str) -> bool:
    """True if a shell refused to expand or to set something, before it started a program."""
    patterns = (_PATTERN, _EQUALS, _CONDITION, _HISTORY, _READ_ONLY, _SYNTAX)
    return any(pattern.search(line) for pattern in patterns)


def find_blamed_word(failed: ToolCall, line: str) -> ShellBlame | None:
    """Return the word that a shell blames; None if the call has no such word as an argument."""
    if found := _PATTERN.search(line):
        return _find_argument(failed, "pattern", found[1])
    if found := _CONDITION.search(line):
        return _find_argument(failed, "condition", found[1] or found[2])
    if found := _HISTORY.search(line):
        return _find_argument(failed, "history", f"!{found[1] or found[2]}")
    if found := _EQUALS.search(line):
        blame = _find_argument(failed, "equals", f"={found[1]}")
        is_test = blame is not None and blame.command.program in _TESTS
        return blame.but(expansion="condition") if blame and is_test else blame
    return None


def list_blamed_words(blame: ShellBlame) -> tuple[str, ...]:
    """Return the command words that recognise a blamed word in another call."""
    program = blame.command.program
    if blame.expansion == "condition":
        return (blame.word, program)
    if blame.expansion == "equals":
        return (EQUALS,)
    flag, equals, _ = blame.word.partition("=")
    if blame.is_pattern and equals and flag[:1] == "-":
        return (f"{flag}={GLOB}",)
    if blame.is_pattern and blame.is_about_files:
        return (GLOB,)
    return (program, GLOB if blame.is_pattern else blame.word)


def quote_blamed_word(blame: ShellBlame) -> str:
    """Return a blamed word as it is to be written; of an option, only that its value is quoted."""
    flag, equals, _ = blame.word.partition("=")
    if equals and flag.strip("-") and flag[:1] == "-":
        return f"{flag}='…'"
    said = " ".join(blame.command.arguments)
    is_text = blame.command.program == "echo" and len(said) <= _LONGEST
    return f"'{said}'" if is_text else f"'{blame.word}'"


def _find_argument(failed: ToolCall, expansion: Expansion, word: str) -> ShellBlame | None:
    for command in parse_command_line(failed.command).walk_commands():
        if command.program in _LOOPS:
            continue
        for argument, source in zip(command.arguments, command.sources[1:], strict=False):
            is_same = argument == word or (expansion == "history" and word in argument)
            if is_same and (expansion == "condition" or _QUOTES.isdisjoint(source)):
                return ShellBlame(expansion, argument, command)
    return None
