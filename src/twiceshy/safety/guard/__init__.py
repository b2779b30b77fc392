"""Guards look at a call before it is made: which sensitive files it writes, and what it would push.

Most calls do neither, which a few words tell; reading a command line costs more.
"""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SHELL = "Bash"
WRITERS = frozenset("Write Edit MultiEdit NotebookEdit".split())
_BETWEEN = "\t"
_GIT = "git"
_QUOTES = frozenset("\\\"'")


def worth_a_look(tool: str, arguments: Mapping[str, object], protected: Iterable[str]) -> bool:
    """Return False only if a call writes no sensitive file and pushes nothing, not by an alias either."""
    if tool != SHELL:
        return tool in WRITERS
    return _GIT in _unquoted(arguments) or speaks_plainly(arguments, protected)


def speaks_plainly(arguments: Mapping[str, object], protected: Iterable[str]) -> bool:
    """Tell whether a command line has the word for a push, or those of a sensitive file."""
    line = _unquoted(arguments)
    return "push" in line or any(
        all(word in line for word in words) for words in _words(protected)
    )


def _unquoted(arguments: Mapping[str, object]) -> str:
    from twiceshy.shell.grams import command_of  # noqa: PLC0415 - a session start needs no calls

    line = command_of(arguments).lower()
    for quote in _QUOTES:
        line = line.replace(quote, "")
    return line


def needles(protected: Iterable[str], aliases: Iterable[str] = ()) -> list[bytes]:
    """Return what a payload's bytes must hold, in lines as the watch for notes has them.

    All words of one line must be there; ``aliases`` are those that git knows for a push.
    """
    lines = [*_words(protected), *((_GIT, verb) for verb in ("push", *aliases))]
    return [_BETWEEN.join(words).encode() + b"\n" for words in lines if all(map(_plain, words))]


def _words(protected: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the words of every pattern; where a shorter one is enough for two, only that one."""
    pieces = {tuple(filter(None, pattern.lower().split("*"))) for pattern in protected}
    kept: list[tuple[str, ...]] = []
    for words in sorted(pieces, key=lambda words: (len(words), sum(map(len, words)), words)):
        if words and not any(_implied(shorter, words) for shorter in kept):
            kept.append(words)
    return kept


def _implied(shorter: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Tell whether the shorter ones stand wherever these words do."""
    return all(any(one in word for word in words) for one in shorter)


def _plain(word: str) -> bool:
    """Tell whether JSON writes a word as it is."""
    return word.isascii() and word.isprintable() and not _QUOTES & set(word)
