"""Command words of a tool call, which identify a mistake again; no patterns needed.

A command word is a program, a subcommand, a flag, a short argument value, or two neighbours
of a path, or the name of an argument; and what the shell adds: a variable before the program, a
relative folder, a pattern without quotes. Volatile parts (messages, numbers, hashes) are excluded. Learning and matching
use the same function, so errors are consistent.
"""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from twiceshy.shell.command_line import SimpleCommand

    Part = tuple[str, ...]

_COMMANDS = ("command", "cmd")
_PATHS = frozenset("file_path notebook_path filePath path absolute_path dir_path".split())
_QUOTES = ("'", '"')
_QUOTING = frozenset("'\"\\$`")
_SIGNS = frozenset(";&|()")  # as ``find`` takes them
_GLOBS = frozenset("*?[")
GLOB = "*"  # the command word of a part with an unquoted pattern: the shell replaces or refuses it
EQUALS = (
    "=="  # the command word of a part with an unquoted ``=name``, which zsh replaces by a path
)
_ABSENT = "!"  # in a trigger, before a gram that must not be there
_LONGEST_WORD, _LONGEST_VALUE, _LONGEST_CALL = 100, 60, 4_000
_MOST_PARTS = 24
_MOST_KNOWN = 500
_known: dict[str, list[Part]] = {}  # line → its words
_HEX = frozenset("0123456789abcdef")
_NAMELESS = frozenset(("", ".", "..", "...", "~"))  # in a path, no name of anything
_COPYING = "cat"  # without an argument it does nothing of its own
# They move, wait or cut what others printed: how a command is looked at is not what it does.
_ASIDE = frozenset("cd pushd popd echo sleep true tee".split())
_CUTTING = frozenset("head tail wc sort uniq less more".split())


def call_words(arguments: Mapping[str, object]) -> list[Part]:
    """Return the command words of a call: a part per program, else a single part.

    A command word is printable, stands in the call unchanged except for quotes, and fits into a
    trigger.
    """
    if line := get_command_line(arguments):
        line = line[:_LONGEST_CALL]
        if line not in _known:  # learning asks a dozen times about each line of a session
            if len(_known) >= _MOST_KNOWN:
                _known.clear()
            _known[line] = list(_words_of_line(line))
        return _known[line].copy()
    return [part] if (part := _keep_distinct(_words_of_arguments(arguments))) else []


def relative_directory(cwd: str, root: str) -> str:
    """Return a directory relative to its project root; empty for the root."""
    inside = cwd.startswith(f"{root}/") and len(root) > 1
    return cwd[len(root) + 1 :].strip("/") if inside else ""


def get_command_line(arguments: Mapping[str, object]) -> str:
    """Return the command line of a call; empty if none."""
    for name in _COMMANDS:
        given = arguments.get(name)
        if isinstance(given, list):
            from twiceshy.shell.tokens import join_words  # noqa: PLC0415 - few calls have words

            given = join_words(word for word in given if isinstance(word, str))
        if isinstance(given, str) and given:
            return given
    return ""


def _words_of_line(line: str) -> Iterator[Part]:
    """Yield the words of every program on a line."""
    from twiceshy.shell.command_line import parse_command_line  # noqa: PLC0415 - prompts need none

    steps = parse_command_line(line).list_steps()
    for _, command in zip(range(_MOST_PARTS), steps, strict=False):
        if part := command_words(command):
            yield part


def command_words(command: SimpleCommand) -> Part:
    """Return the words of a command and its wrappers; empty if inert."""
    if not command.words:
        return ()
    if command.words[0] in _ASIDE:
        is_replaced = any(map(_is_replaced, command.sources))
        return (command.words[0], EQUALS) if is_replaced else ()
    if command.program in _CUTTING and not any(map(_names_file, command.arguments)):
        return ()  # it cuts what another program prints
    if command.words == (_COPYING,) and command.redirections:
        return ()  # it writes down a here-document, or hands on a file
    pieces = map(_usable_pieces, command.words, command.sources)
    found = [term for each in pieces for piece in each for term in _words_of_word(piece)]
    return _keep_distinct(
        [
            *found,
            *(wrapper[0].rpartition("/")[2] for wrapper in command.wrappers),
            *_words_of_surroundings(command),
        ]
    )


def _names_file(word: str) -> bool:
    """True if an argument is a path: no option, number or expression."""
    return word[:1] != "-" and ("/" in word or word.partition(".")[2].isalnum())


def _words_of_surroundings(command: SimpleCommand) -> Iterator[str]:
    """Yield what a shell makes of a call beyond its words: variables, folder, patterns."""
    for each in command.environment:
        name, _, value = each.partition("=")
        yield each if value and "/" not in value and not _is_volatile(value) else f"{name}="
    if command.folder and command.folder[0] not in "/~$":
        yield f"cd={command.folder.rstrip('/')}"
    for source in command.sources:
        if not _GLOBS.isdisjoint(source) and not _QUOTING.intersection(source):
            flag, equals, _ = source.partition("=")
            yield f"{flag}={GLOB}" if equals and flag[:1] == "-" else GLOB
    if any(map(_is_replaced, command.sources)):
        yield EQUALS


def _is_replaced(source: str) -> bool:
    """True for a word such as ``==`` or ``=name``, which zsh takes for the path of a program."""
    return source[:1] == "=" and len(source) > 1


def _usable_pieces(word: str, source: str) -> list[str]:
    """Return the parts of a word that stand in the call unchanged; none for prose."""
    if " " in word or "\n" in word:
        return []
    quote, inside = source[:1], source[1:-1]
    if (
        quote in _QUOTES
        and source[1:].endswith(quote)
        and quote not in inside.replace("\\" + quote, "")
    ):
        return [] if " " in inside else [inside]
    if "$(" in source or "`" in source:
        return word.split("$")
    return [word]


def _keep_distinct(terms: Iterable[str]) -> Part:
    """Return distinct words that a trigger can hold."""
    return tuple(dict.fromkeys(term for term in terms if _is_writable(term)))


def _is_writable(term: str) -> bool:
    return term.isprintable() and " " not in term and term[:1] not in ("", _ABSENT)


def _words_of_word(word: str) -> Iterator[str]:
    if len(word) > _LONGEST_WORD or word[:1] in ("$", "#", "<") or ">" in word:
        return
    if word in _SIGNS or _is_volatile(word):
        return
    flag, equals, value = word.partition("=")
    if word.startswith("-") and equals:
        yield flag
        if value and "/" not in value and not _is_volatile(value):
            yield word
    elif "/" in word and "://" not in word:
        yield from _words_of_path(word)
    else:
        yield word


def _words_of_path(path: str) -> Iterator[str]:
    """Yield the last name, and every two neighbours: the project's location does not matter."""
    yield from _is_name(path)[-1:]
    yield from path_pairs(path)


def path_pairs(path: str) -> list[str]:
    """Return every two neighbours of a path; a single name stands for itself."""
    names = path.split("/")
    pairs = [
        f"{above}/{names[at]}"
        for at, above in enumerate(names[:-1], start=1)
        if above not in _NAMELESS and names[at] not in _NAMELESS
    ]
    return [each for each in pairs or _is_name(path)[-1:] if _is_writable(each)]


def _is_name(path: str) -> list[str]:
    return [name for name in path.split("/") if name not in _NAMELESS]


def _words_of_arguments(arguments: Mapping[str, object]) -> Iterator[str]:
    """Yield the short values of arguments, then their names: ``query=`` is a text, ``limit:`` is none."""
    for name, value in arguments.items():
        if not isinstance(value, str) or not value or "\n" in value:
            continue
        if name in _PATHS:
            yield from _words_of_path(value)
        elif len(value) <= _LONGEST_VALUE and "=" not in name and not _is_volatile(value):
            yield f"{name}={value}"
    yield from (
        name_argument(name, value) for name, value in arguments.items() if name not in _PATHS
    )


def name_argument(name: str, value: object) -> str:
    """Return the command word for the name of an argument, and whether it is a text."""
    return f"{name}=" if isinstance(value, str | list) else f"{name}:"


def is_argument_name(term: str) -> bool:
    """True if a command word is the name of an argument, without a value."""
    return term[-1:] in ("=", ":")


def _is_volatile(word: str) -> bool:
    """True for numbers, versions, ranges and hashes, which differ between calls."""
    bare = word.lstrip("-~^")
    bare = (
        (bare[1:] if bare[:1] == "v" and bare[1:2].isdigit() else bare)
        .replace(",", "")
        .replace(".", "")
        .replace(":", "")
    )
    number = bare.rstrip("dpskmgGMK%")  # 80%, 12,40p, 5s
    return not bare or number.isdigit() or (len(word) >= 7 and _HEX.issuperset(word))
