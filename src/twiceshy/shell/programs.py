"""Read a command line as a shell would, far enough to know which programs it starts, where, and into which files.

Nothing is expanded: a variable stays as it is written, and what a substitution would print is unknown.
The programs inside a substitution, a subshell or ``sh -c`` are listed like all others.
"""

from __future__ import annotations

from twiceshy.core.value import Value
from twiceshy.shell.tokens import BREAK, FROM, HERE, INTO, WORD, tokens

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

_DEPTH = 4
_SHELLS = frozenset("sh bash zsh dash ksh ash".split())
_RESERVED = frozenset("if then elif else while until do ! { coproc".split())
# They start the program that counts; these of their options have a value in the next word.
_WRAPPERS = {
    "sudo": "-u -g -h -p -C -D -R -T -U -r -t",
    "doas": "-u -C",
    "env": "-u -C --unset --chdir",
    "nice": "-n --adjustment",
    "ionice": "-c -n -p",
    "timeout": "-s -k --signal --kill-after",
    "xargs": "-n -I -P -L -d -s -E -a",
    "stdbuf": "-i -o -e",
    "exec": "-a",
    "time": "-f -o",
    **dict.fromkeys(("builtin", "command", "nohup", "setsid", "unbuffer"), ""),
}


class Program(Value):
    """One program: its words, what is set for it alone, where its output goes, where ``cd`` has led to."""

    words: tuple[str, ...]
    settings: tuple[str, ...] = ()
    output: tuple[str, ...] = ()
    place: str = ""

    @property
    def name(self) -> str:
        """Return the program by its name alone."""
        return self.words[0].rpartition("/")[2] if self.words else ""


def programs(line: str, *, place: str = "", depth: int = _DEPTH) -> Iterator[Program]:
    """Yield every program that a command line starts, those it hands to another shell among them."""
    if not depth:
        return
    places = [place]
    found, inner = tokens(line)
    for part, end in _parts(found):
        program = part.program(places[-1])
        if program.words or program.output:
            yield program
            for script in _scripts(program, part.fed):
                yield from programs(script, place=program.place, depth=depth - 1)
        places = _led(places, program, end)
    for each in inner:
        yield from programs(each, place=place, depth=depth - 1)


def joined(place: str, path: str) -> str:
    """Return a path that is written as seen from a place."""
    if not place or path.startswith(("/", "~")):
        return path
    return f"{place.rstrip('/')}/{path}" if path else place


class _Part:
    """What stands between two breaks of a line."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.output: list[str] = []
        self.fed: list[str] = []

    def program(self, place: str) -> Program:
        settings, words = _unwrapped(self.words)
        return Program(tuple(words), tuple(settings), tuple(self.output), place)


def _parts(found: list[tuple[str, str]]) -> Iterator[tuple[_Part, str]]:
    """Yield what stands between breaks, and the break behind it."""
    part, awaited = _Part(), ""
    for kind, text in found:
        if kind == WORD:
            if awaited == INTO:
                part.output.append(text)
            elif not awaited:
                part.words.append(text)
            awaited = ""
        elif kind == HERE:
            part.fed.append(text)
        elif kind in (INTO, FROM):
            awaited = kind
        elif kind == BREAK:
            yield part, text
            part, awaited = _Part(), ""
    yield part, "\n"


def _led(places: list[str], program: Program, end: str) -> list[str]:
    """Return where the next program starts: brackets remember, and ``cd`` goes elsewhere."""
    if program.name in ("cd", "pushd"):
        to = next((word for word in program.words[1:] if not word.startswith("-")), "~")
        places = [*places[:-1], joined(places[-1], to)]
    if end == "(":
        return [*places, places[-1]]
    return places[:-1] if end == ")" and len(places) > 1 else places


def _scripts(program: Program, fed: list[str]) -> Iterator[str]:
    """Yield what a program is given to run by a shell."""
    given = program.words[1:]
    if program.name == "eval":
        yield " ".join(given)
    if program.name not in _SHELLS:
        return
    for at, word in enumerate(given, start=1):
        if word[:1] == "-" != word[1:2] and "c" in word:
            yield from given[at : at + 1]
            return
        if word[:1] not in ("-", "+"):
            return  # a file, with its arguments
    yield from fed


def _unwrapped(words: list[str]) -> tuple[list[str], list[str]]:
    """Take off what is set for a program, and the programs that only start it."""
    settings: list[str] = []
    while words:
        first = words[0].rpartition("/")[2]
        if assigns(words[0]):
            settings.append(words[0])
            words = words[1:]
        elif words[0] in _RESERVED:
            words = words[1:]
        elif first in _WRAPPERS and len(words) > 1:
            words = _started(words[1:], _WRAPPERS[first].split(), counted=first == "timeout")
        else:
            break
    return settings, words


def _started(words: list[str], valued: list[str], *, counted: bool) -> list[str]:
    """Return the words behind a wrapper's options; one that is ``counted`` begins with a number."""
    while words and words[0].startswith("-"):
        words = words[2 if words[0] in valued else 1 :]
    return words[1:] if counted else words


def assigns(word: str) -> bool:
    """Tell whether a word sets a variable."""
    name, equals, _ = word.partition("=")
    return bool(equals) and name.isidentifier()
