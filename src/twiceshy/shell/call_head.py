"""Head of a call: program and subcommand, or file; no arguments, no free text.

The head identifies retries of a call, and equal steps in other sessions. Heads are stored,
so a word counts only where a program is known to take a subcommand.
"""

from __future__ import annotations

from twiceshy.shell import DEPTH, IDLE
from twiceshy.shell.command_line import parse_command_line

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LONGEST_COMMAND, _LONGEST_WORD, _MOST_WORDS, _MOST = 4_000, 32, 6, 24
_SIGNS = frozenset("._:+-@")
# These say only how the next word is run.
LINKS = frozenset(
    "bin compose container dlx exec image pip run stash task tool workspace x".split()
)
_WITH_VALUE = frozenset(
    "-C -c -f -n -p --cwd --dir --directory --file --filter --git-dir --namespace --prefix --project"
    " --repo -R --work-tree".split()
)
_MODULE = "-m"
_STARTING = ("run", "exec")  # of whatever program: the next word names what it does


def list_heads(command: str) -> tuple[str, ...]:
    """Return the distinct heads of a command line, in order: ``git add``, ``npm run build``."""
    steps = parse_command_line(command[:_LONGEST_COMMAND]).list_steps()
    found = (
        _head_of_command(each.program, each.arguments)
        for each in steps
        if each.program not in IDLE
    )
    return tuple(dict.fromkeys(filter(None, found)))[:_MOST]


def is_head(text: str) -> bool:
    """True if a text can be a head: a few plain names."""
    words = text.split(" ")
    return len(words) <= _MOST_WORDS and all(
        _is_plain_name(word) or word == _MODULE for word in words
    )


def _head_of_command(program: str, words: Sequence[str]) -> str:
    if not _is_plain_name(program):
        return ""
    if program.startswith("python") and _MODULE in words[:-1]:
        module = words[words.index(_MODULE) + 1]
        return f"{program} {_MODULE} {module}" if _is_plain_name(module) else program
    return " ".join((program, *_subcommand_words(words, _subcommand_depth(program, words))))


def _subcommand_depth(program: str, words: Sequence[str]) -> int:
    """Return how many words behind a program name what it does; 1 for a task runner."""
    return DEPTH.get(program, int("".join(words[:1]) in _STARTING))


def _subcommand_words(words: Sequence[str], depth: int) -> Iterator[str]:
    """Yield subcommand words, skipping options."""
    value = False
    for word in words:
        if value or word.startswith("-"):
            value = not value and word in _WITH_VALUE
        elif depth <= 0 or not _is_plain_name(word):
            return
        else:
            yield word
            depth -= word not in LINKS


def _is_plain_name(word: str) -> bool:
    """True if a word can be a program or command name."""
    if not word[:1].isalpha() or len(word) > _LONGEST_WORD:
        return False
    letters = [char for char in word if char not in _SIGNS]
    digits = sum(char.isdigit() for char in letters)
    # names have few digits; hashes, tokens and ids have many
    return all(char.isalnum() for char in letters) and digits * 3 <= len(letters)
