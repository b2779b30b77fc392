"""Guards: check a pending call for sensitive files and pushes.

Most calls concern neither, which a few words tell; reading a command line costs more.
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


def may_concern_guard(
    tool: str, arguments: Mapping[str, object], protected: Iterable[str]
) -> bool:
    """Return False only if a call writes no sensitive file and pushes nothing, aliases included."""
    if tool != SHELL:
        return tool in WRITERS
    return _GIT in _strip_quotes(arguments) or has_guard_words(arguments, protected)


def has_guard_words(arguments: Mapping[str, object], protected: Iterable[str]) -> bool:
    """True if a command line has the word for a push, or words of a sensitive file."""
    line = _strip_quotes(arguments)
    return "push" in line or any(
        words and all(word in line for word in words) for words in map(_split_pattern, protected)
    )


def _strip_quotes(arguments: Mapping[str, object]) -> str:
    from twiceshy.shell.call_words import get_command_line  # noqa: PLC0415 - a session start needs no calls

    line = get_command_line(arguments).lower()
    for quote in _QUOTES:
        line = line.replace(quote, "")
    return line


def list_prefilter_lines(protected: Iterable[str], aliases: Iterable[str] = ()) -> list[bytes]:
    """Return prefilter lines for the guards.

    Every word of a line must be present; ``aliases`` are git aliases for a push.
    """
    lines = [
        *_pattern_words(protected),
        *((_GIT, verb) if verb else (_GIT,) for verb in ("push", *aliases)),
    ]
    return [
        _BETWEEN.join(words).encode() + b"\n" for words in lines if all(map(_is_plain_json, words))
    ]


def _pattern_words(protected: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the words of every pattern, without redundant ones."""
    kept: list[tuple[str, ...]] = []
    for words in sorted(
        set(map(_split_pattern, map(str.lower, protected))),
        key=lambda words: (len(words), sum(map(len, words)), words),
    ):
        if words and not any(_is_implied(shorter, words) for shorter in kept):
            kept.append(words)
    return kept


def _split_pattern(pattern: str) -> tuple[str, ...]:
    """Return the words that stand in every name that a pattern matches."""
    return tuple(filter(None, pattern.lower().split("*")))


def _is_implied(shorter: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """True if shorter words are present wherever these words are."""
    return all(any(one in word for word in words) for one in shorter)


def _is_plain_json(word: str) -> bool:
    """True if JSON writes a word without escapes."""
    return word.isascii() and word.isprintable() and not _QUOTES & set(word)
