"""Take a tool call apart into grams, the words by which a mistake is known again; no pattern needed.

A gram is a program, a subcommand, a flag, the value of a short argument, or two neighbours of a path.
What changes from call to call (messages, numbers, hashes) is no gram. Learning and matching use the
same function, so what it gets wrong it gets wrong alike.
"""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    Part = tuple[str, ...]

_COMMANDS = ("command", "cmd")
_PATHS = frozenset("file_path notebook_path filePath path absolute_path dir_path".split())
_BREAKS = "|;&\n()"
_ENDS = _BREAKS + " \t"
_QUOTES = "'\""
_NOT = "!"  # turns a program's verdict round; in a trigger, what must not be there
_TEXT = "\x00"  # stands for what was quoted and has blanks: it is meant for people
_LONGEST_WORD, _LONGEST_VALUE, _LONGEST_CALL = 100, 60, 4_000
_MOST_PARTS = 24
_HEX = frozenset("0123456789abcdef")
_NAMELESS = frozenset(("", ".", "..", "...", "~"))  # in a path, no name of anything
# They move, wait or cut what others printed: how a command is looked at is not what it does.
_ASIDE = frozenset("cd pushd popd echo sleep true head tail wc sort uniq tee less more".split())


def parts_of(arguments: Mapping[str, object]) -> list[Part]:
    """Return the grams of a call: one part for every program of a command line, else a single one.

    A gram is one printable word, stands in the call just so but for quotes, and can be written into
    a trigger.
    """
    for name in _COMMANDS:
        if command := _line(arguments.get(name)):
            return [part for words in _programs(command) if (part := _part(words))]
    return [part] if (part := _distinct(_of_arguments(arguments))) else []


def place_of(cwd: str, root: str) -> str:
    """Return a directory as seen from the root of its project; nothing for the root itself."""
    inside = cwd.startswith(f"{root}/") and len(root) > 1
    return cwd[len(root) + 1 :].strip("/") if inside else ""


def _line(value: object) -> str:
    if isinstance(value, list):
        value = " ".join(each for each in value if isinstance(each, str))
    return value[:_LONGEST_CALL] if isinstance(value, str) else ""


def _programs(command: str) -> Iterator[list[str]]:
    """Yield the words of every program on a command line, up to the first here-document."""
    words: list[str] = []
    yielded = 0
    for word in _words(command):
        if word in _BREAKS:
            if words:
                yield words
                yielded += 1
            if any(each.startswith("<<") for each in words) or yielded == _MOST_PARTS:
                return
            words = []
        else:
            words.append(word)


def _words(command: str) -> Iterator[str]:
    """Yield words, and the characters that end a program; what is quoted belongs to its word."""
    at, word = 0, ""
    while at < len(command):
        char = command[at]
        if char in _QUOTES:
            end = _closing(command, at)
            word += _unblanked(command[at + 1 : end])
            at = end
        elif char == "\\":
            at += 1
            word += _unblanked(command[at : at + 1])
        elif char not in _ENDS or _joins(command, at):
            word += char
        else:
            yield from (each for each in (word, char.strip(" \t")) if each)
            word = ""
        at += 1
    yield from (each for each in (word, "\n") if each)


def _unblanked(quoted: str) -> str:
    return _TEXT if " " in quoted or "\n" in quoted else quoted


def _joins(command: str, at: int) -> bool:
    """Tell whether an ampersand ends nothing: in 2>&1 and &> it belongs to its word."""
    around = command[at - 1 : at], command[at + 1 : at + 2]
    return command[at] == "&" and ">" in around


def _closing(command: str, at: int) -> int:
    """Return where the quote that opens at a place closes; the end if it does not."""
    quote, end = command[at], command.find(command[at], at + 1)
    while quote == '"' and end > 0 and command[end - 1] == "\\":
        end = command.find(quote, end + 1)
    return end if end >= 0 else len(command)


def _part(words: list[str]) -> Part:
    """Return the grams of one program; none if it does nothing by itself."""
    while words and (_assigns(words[0]) or words[0] == _NOT):
        words = words[1:]
    if not words or words[0] in _ASIDE:
        return ()
    found: list[str] = []
    skip = False
    for word in words:
        if skip or ">" in word or word.startswith("<"):
            skip = word in (">", ">>", "<", "2>", "&>")  # its file is the next word
        else:
            found += _of_word(word)
    return _distinct(found)


def _distinct(grams: Iterable[str]) -> Part:
    """Return grams once each, without those that a trigger has no words for."""
    return tuple(dict.fromkeys(gram for gram in grams if _writable(gram)))


def _writable(gram: str) -> bool:
    return gram.isprintable() and " " not in gram and gram[:1] not in ("", _NOT)


def _of_word(word: str) -> Iterator[str]:
    if _TEXT in word or len(word) > _LONGEST_WORD or word[:1] in ("$", "#") or _counts(word):
        return
    flag, equals, value = word.partition("=")
    if word.startswith("-") and equals:
        yield flag
        if value and "/" not in value and not _counts(value):
            yield word
    elif "/" in word and "://" not in word:
        yield from _of_path(word)
    else:
        yield word


def _of_path(path: str) -> Iterator[str]:
    """Yield the name at the end, and every two neighbours: where a project lies does not matter."""
    yield from _names(path)[-1:]
    yield from pairs_of(path)


def pairs_of(path: str) -> list[str]:
    """Return every two neighbours of a path, from its beginning; a name alone stands for itself."""
    names = path.split("/")
    pairs = [
        f"{above}/{names[at]}"
        for at, above in enumerate(names[:-1], start=1)
        if above not in _NAMELESS and names[at] not in _NAMELESS
    ]
    return [each for each in pairs or _names(path)[-1:] if _writable(each)]


def _names(path: str) -> list[str]:
    return [name for name in path.split("/") if name not in _NAMELESS]


def _of_arguments(arguments: Mapping[str, object]) -> Iterator[str]:
    for name, value in arguments.items():
        if not isinstance(value, str) or not value or "\n" in value:
            continue
        if name in _PATHS:
            yield from _of_path(value)
        elif len(value) <= _LONGEST_VALUE and "=" not in name and not _counts(value):
            yield f"{name}={value}"


def _assigns(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and name.isidentifier()


def _counts(word: str) -> bool:
    """Tell whether a word is a number, a version, a range or a hash: another call has another one."""
    bare = word.lstrip("-~^")
    bare = (
        (bare[1:] if bare[:1] == "v" and bare[1:2].isdigit() else bare)
        .replace(",", "")
        .replace(".", "")
        .replace(":", "")
    )
    number = bare.rstrip("dpskmgGMK%")  # 80%, 12,40p, 5s
    return not bare or number.isdigit() or (len(word) >= 7 and _HEX.issuperset(word))
