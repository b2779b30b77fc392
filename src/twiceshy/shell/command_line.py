"""The reader of command lines: programs, wrappers, folders, and files.

Every room asks here, so each sees the same program behind ``sudo -u bob``, ``env``,
``timeout 5`` or a keyword. Nothing is expanded.
"""

from __future__ import annotations

from itertools import pairwise, takewhile

from twiceshy.core.value import Value
from twiceshy.shell import HANDLING, KNOWN, TELLING
from twiceshy.shell.tokens import OPERATOR, REDIRECTION, WORD, join_words, read_tokens

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from twiceshy.shell.tokens import Token

# How an inner line belongs to its command.
SUBSTITUTION, QUOTED, SCRIPT, STARTED = "$(…)", '"$(…)"', "sh -c", "-exec"

_DEPTH = 4
_DESCRIPTORS = tuple("0123456789-")
_OPERATORS = {"|&": "|", ";;": ";", "(": "", ")": ""}
_SHELLS = frozenset("sh bash zsh dash ksh ash".split())
_KEYWORDS = frozenset("if then elif else while until do ! { } coproc".split())
# Options that take the next word: of git, and of wrappers, which start another program. Words without
# a dash stand before that program.
_TABLE = {
    "git": "-C -c --git-dir --work-tree --namespace --config-env --exec-path",
    "sudo": "-u -g -h -p -C -D -R -T -U -r -t --user --group --host --prompt --chdir --role --type",
    "doas": "-u -C -a",
    "env": "-u -C -a --unset --chdir --argv0",
    "nice": "-n --adjustment",
    "ionice": "-c -n -p -P -u --class --classdata",
    "timeout": "-s -k --signal --kill-after DURATION",
    "xargs": "-I -n -P -L -d -s -E -a --max-args --max-procs --max-chars --delimiter --arg-file",
    "stdbuf": "-i -o -e --input --output --error",
    "time": "-f -o --format --output",
    "exec": "-a",
    "watch": "-n --interval",
    "flock": "-w -E --wait --timeout --conflict-exit-code FILE",
    "chroot": "--groups --userspec FOLDER",
    "unshare": "-R -w -S -G --root --wd --setuid --setgid",
    **dict.fromkeys("builtin command nohup setsid unbuffer".split(), ""),
}
# A wrapper that nobody listed may have one word of its own: ``tool git log``, ``tool quietly git log``.
_MOST_UNLISTED = 2
VALUED = {name: options.split() for name, options in _TABLE.items()}
_WRAPPERS = VALUED.keys() - {"git"}
_ALONE = {"command": ("-v", "-V")}  # with these options a wrapper only asks, and starts nothing
_FOLDER = {"env": ("-C", "--chdir"), "sudo": ("-D", "--chdir"), "git": ("-C",)}
_EXEC = ("-exec", "-execdir", "-ok", "-okdir")


class Redirection(Value):
    """A sign such as ``2>``, and its target: a file, a file descriptor or the text of a here-document."""

    sign: str
    target: str


class SimpleCommand(Value):
    """A program with arguments, wrappers, redirections and inner lines.

    ``sources`` are the words as written, with their quotes. ``wrappers`` were taken off the
    words, each with its options. ``operator`` stands after the command. ``inner`` are the lines
    inside.
    """

    words: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    wrappers: tuple[tuple[str, ...], ...] = ()
    redirections: tuple[Redirection, ...] = ()
    folder: str = ""
    operator: str = ""
    inner: tuple[CommandLine, ...] = ()

    @property
    def program(self) -> str:
        """Return the name of the program, without its folder."""
        return base_name(self.words[0]) if self.words else ""

    @property
    def arguments(self) -> tuple[str, ...]:
        """Return the words after the program."""
        return self.words[1:]

    @property
    def outputs(self) -> tuple[str, ...]:
        """Return the files written by redirections."""
        signs = ((each.sign, each.target) for each in self.redirections if ">" in each.sign)
        return tuple(to for sign, to in signs if sign[-2:] != ">&" or to[:1] not in _DESCRIPTORS)

    @property
    def is_shell(self) -> bool:
        """True if the program only runs a script given as an argument."""
        return any(line.kind == SCRIPT for line in self.inner)


class CommandLine(Value):
    """The commands of a line in order; ``is_complete`` unless a quote or bracket is unclosed."""

    commands: tuple[SimpleCommand, ...] = ()
    kind: str = ""
    is_complete: bool = True

    def walk_commands(self, *kinds: str) -> Iterator[SimpleCommand]:
        """Yield commands, each before its inner lines of these kinds; every kind by default."""
        for command in self.commands:
            yield command
            for line in command.inner:
                if not kinds or line.kind in kinds:
                    yield from line.walk_commands(*kinds)

    def list_steps(self) -> Iterator[SimpleCommand]:
        """Yield the commands that do the work; a shell gives way to its script."""
        return (each for each in self.walk_commands(SUBSTITUTION, SCRIPT) if not each.is_shell)


_MOST_KNOWN, _LONGEST_KNOWN = 500, 4_000  # lines remembered, and their characters
# Learning asks a dozen times about each line of a session.
_known: dict[tuple[str, str, str, int], CommandLine] = {}


def parse_command_line(
    text: str, *, kind: str = "", folder: str = "", depth: int = _DEPTH
) -> CommandLine:
    """Parse a command line started in a folder; accepts any text."""
    asked = (text, kind, folder, depth)
    found = _known.get(asked)
    if found is None:
        tokens, is_complete = read_tokens(text)
        found = CommandLine(_parse_tokens(text, tokens, folder, depth), kind, is_complete)
        if len(text) <= _LONGEST_KNOWN:
            if len(_known) >= _MOST_KNOWN:
                _known.clear()
            _known[asked] = found
    return found


def list_wrapper_names(text: str) -> frozenset[str]:
    """Return the names of the wrappers on a command line."""
    commands = parse_command_line(text).walk_commands()
    return frozenset(base_name(wrapper[0]) for each in commands for wrapper in each.wrappers)


def join_folder(folder: str, path: str) -> str:
    """Join a path to a folder, keeping the folder's point of view."""
    if not folder or path.startswith(("/", "~")):
        return path
    return f"{folder.rstrip('/')}/{path}" if path else folder


def base_name(word: str) -> str:
    """Return the last part of a path."""
    return word.rpartition("/")[2]


def is_assignment(word: str) -> bool:
    """True if a word sets a variable."""
    name, equals, _ = word.partition("=")
    return bool(equals) and name.isidentifier()


def read_options(
    words: Sequence[str], at: int, valued: Collection[str]
) -> tuple[list[tuple[str, str]], int]:
    """Return options with values from a position, and the end of the options."""
    found: list[tuple[str, str]] = []
    while at < len(words) and words[at][:1] == "-":
        word, at = words[at], at + 1
        if word == "--":
            break
        option, equals, value = word.partition("=")
        if word[1:2] != "-":  # a group of letters: the first that takes a value takes the rest
            place = next((place for place, char in enumerate(word) if f"-{char}" in valued), None)
            option, value = (word, "") if place is None else (f"-{word[place]}", word[place + 1 :])
        if option in valued and not value and not equals and at < len(words):
            value, at = words[at], at + 1
        found.append((option, value))
    return found, at


def skip_wrappers(words: Sequence[str]) -> tuple[int, list[tuple[int, int]]]:
    """Return the position of the program after wrappers, keywords and variables.

    A wrapper that starts nothing is the program itself.
    """
    at = 0
    wrappers: list[tuple[int, int]] = []
    while at < len(words):
        name = base_name(words[at])
        if is_assignment(words[at]) or words[at] in _KEYWORDS:
            at += 1
        elif name in _WRAPPERS:
            wrappers.append((at, _end_of_wrapper(words, at + 1, name)))
            at = wrappers[-1][1]
        else:
            break
    if at >= len(words) and wrappers:
        at = wrappers.pop()[0]
    return at, wrappers


def _end_of_wrapper(words: Sequence[str], at: int, name: str) -> int:
    """Return the end of a wrapper's options and arguments; the end of the words for a query."""
    while at < len(words) and (words[at][:1] == "-" or _is_amount(words[at])):
        options, at = read_options(words, at, VALUED[name])
        if any(option in _ALONE.get(name, ()) for option, _ in options):
            return len(words)
        at += at < len(words) and _is_amount(words[at])
    own = VALUED[name][-1:] if at < len(words) else []
    return at + (own in (["FILE"], ["FOLDER"]) or (own == ["DURATION"] and words[at][:1] == "$"))


def _skip_unlisted_wrapper(words: Sequence[str], at: int) -> list[tuple[int, int]]:
    """Return the words of a wrapper that no list has, known by the program behind it.

    Only where that program has something to do, so ``tool git`` and ``tool add git`` have none.
    """
    end = at
    for word in words[at : at + _MOST_UNLISTED]:
        unfit = HANDLING if end > at else KNOWN
        if (name := base_name(word)) in unfit or not name.replace("-", "").isalnum():
            break
        end += 1
        if base_name("".join(words[end : end + 1])) in TELLING and end + 1 < len(words):
            return [(place, place + 1) for place in range(at, end)]
    behind = words.index("--") + 1 if end > at and "--" in words else len(words)
    is_started = base_name("".join(words[behind : behind + 1])) in KNOWN
    return [(at, behind)] if is_started else []


def _is_amount(word: str) -> bool:
    """True if a word is a number or duration, never a program name."""
    return word.rstrip("smhd").replace(".", "", 1).isdecimal()


class _CommandBuilder:
    """Tokens of a command, and its folder."""

    def __init__(self) -> None:
        self.words: list[Token] = []
        self.redirections: list[Redirection] = []
        self.substitutions: list[tuple[tuple[Token, ...], bool]] = []
        self.operator = ""

    def build_command(self, text: str, folder: str, depth: int) -> SimpleCommand:
        """Build the command without wrappers and variables."""
        words = [token.text for token in self.words]
        sources = [text[token.start : token.end] for token in self.words]
        at, spans = skip_wrappers(words)
        spans += _skip_unlisted_wrapper(words, at)
        at = max(at, *(end for _, end in spans)) if spans else at
        wrappers = [tuple(words[start:end]) for start, end in spans]
        inside = {place for start, end in spans for place in range(start, end)}
        before = [word for place, word in enumerate(words[:at]) if place not in inside]
        if wrappers and not {"-S", "--split-string"}.isdisjoint(wrappers[-1]):  # of env
            words[at : at + 1] = sources[at : at + 1] = words[at].split()
        folder = _start_folder(folder, filter(None, (*wrappers, words[at:])))
        return SimpleCommand(
            words=tuple(words[at:]),
            sources=tuple(sources[at:]),
            environment=tuple(filter(is_assignment, before)),
            wrappers=tuple(wrappers),
            redirections=tuple(self.redirections),
            folder=folder,
            operator=_OPERATORS.get(self.operator, self.operator),
            inner=tuple(self._parse_inner(text, words[at:], folder, depth - 1)) if depth else (),
        )

    def _parse_inner(
        self, text: str, words: list[str], folder: str, depth: int
    ) -> Iterator[CommandLine]:
        for tokens, quoted in self.substitutions:
            commands = _parse_tokens(text, tokens, folder, depth)
            yield CommandLine(commands, QUOTED if quoted else SUBSTITUTION)
        documents = [each.target for each in self.redirections if each.sign in ("<<", "<<-")]
        for kind, script in _inner_scripts(words, documents):
            yield parse_command_line(script, kind=kind, folder=folder, depth=depth)


def _split_tokens(tokens: Iterable[Token]) -> list[_CommandBuilder]:
    """Return the tokens of each command."""
    drafts, sign = [_CommandBuilder()], ""
    for token in tokens:
        draft = drafts[-1]
        draft.substitutions += token.substitutions
        if token.kind == OPERATOR:
            draft.operator, sign = token.text, ""
            drafts.append(_CommandBuilder())
        elif token.kind == REDIRECTION:
            sign = token.text
        elif token.kind == WORD and sign:
            draft.redirections.append(Redirection(sign, token.text))
            sign = ""
        elif token.kind == WORD:
            draft.words.append(token)
    return drafts


def _parse_tokens(
    text: str, tokens: Iterable[Token], folder: str, depth: int
) -> tuple[SimpleCommand, ...]:
    """Return commands in order; a bracket restores the folder, ``cd`` changes it."""
    folders = [folder]
    found: list[SimpleCommand] = []
    for draft in _split_tokens(tokens):
        command = draft.build_command(text, folders[-1], depth)
        if command.words or command.environment or command.redirections:
            found.append(command)
        elif found and not found[-1].operator:
            found[-1] = found[-1].but(operator=command.operator)
        if command.program in ("cd", "pushd"):
            to = next((word for word in command.arguments if word[:1] != "-"), "~")
            folders[-1] = join_folder(folders[-1], to)
        if draft.operator == "(":
            folders.append(folders[-1])
        elif draft.operator == ")" and len(folders) > 1:
            folders.pop()
    return tuple(found)


def _start_folder(folder: str, calls: Iterable[Sequence[str]]) -> str:
    """Return the folder set by options of wrappers and git."""
    for call in calls:
        leading = _FOLDER.get(base_name(call[0]), ())
        options = read_options(call, 1, VALUED[base_name(call[0])])[0] if leading else ()
        for value in (value for option, value in options if option in leading):
            folder = join_folder(folder, value)
    return folder


def _inner_scripts(words: Sequence[str], documents: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield lines that a program is given to run, each with its kind."""
    name, at = base_name(words[0]) if words else "", 1
    if name == "eval":
        yield STARTED, " ".join(words[1:])
    elif name == "find":
        starts = [place for place, word in enumerate(words, start=1) if word in _EXEC]
        for start, end in pairwise([*starts, len(words)]):
            call = takewhile(lambda word: word not in (";", "+"), words[start:end])
            yield STARTED, join_words(call)
    if name not in _SHELLS:
        return
    while at < len(words) and (word := words[at])[:1] in ("-", "+"):
        if word[:1] == "-" != word[1:2] and "c" in word:
            yield from ((SCRIPT, script) for script in words[at + 1 : at + 2])
            return
        at += 2 if word[-1:] in ("o", "O") and word[1:2] != "-" else 1
    if at >= len(words):  # else a file is run, and the rest is its input
        yield from ((STARTED, document) for document in documents)
