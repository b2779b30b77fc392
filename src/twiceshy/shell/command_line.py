"""The reader of command lines: the programs a line starts, how, where, and with which files.

Every room that asks what a command line does asks here, so all of them see the same program behind
``sudo -u bob``, ``env``, ``timeout 5`` or a keyword. Nothing is expanded.
"""

from __future__ import annotations

from twiceshy.core.value import Value
from twiceshy.shell.tokens import (
    DOCUMENT,
    HERE_SIGNS,
    OPERATOR,
    REDIRECTION,
    SPECIAL,
    WORD,
    read_tokens,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from twiceshy.shell.tokens import Token

# How an inner line belongs to its command.
SUBSTITUTION, QUOTED, SCRIPT, STARTED = "$(…)", '"$(…)"', "sh -c", "-exec"

_DEPTH = 4
_DIGITS = "0123456789"
_DURATION = "DURATION"
_OPERATORS = {"|&": "|", ";;": ";", "(": "", ")": ""}
_SHELLS = frozenset("sh bash zsh dash ksh ash".split())
_KEYWORDS = frozenset("if then elif else while until do ! { } coproc".split())
# Programs that start another one: the options that take the next word, then the words before the program.
_WRAPPERS = {
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
    **dict.fromkeys("builtin command nohup proxy rtk setsid unbuffer".split(), ""),
}
_ALONE = {"command": ("-v", "-V")}  # with these options a wrapper only asks, and starts nothing
_SPLIT = ("-S", "--split-string")  # of env: the program and its arguments in one word
_FOLDER = {"env": ("-C", "--chdir"), "sudo": ("-D", "--chdir"), "git": ("-C",)}
GIT_VALUED = "-C -c --git-dir --work-tree --namespace --config-env --exec-path".split()
_EXEC = ("-exec", "-execdir", "-ok", "-okdir")


class Redirection(Value):
    """A redirection: file descriptor if given, sign, and target."""

    descriptor: str
    sign: str
    target: str

    @property
    def is_output(self) -> bool:
        """True if the target is a file that is written."""
        copies = self.sign == ">&" and self.target[:1] in (*_DIGITS, "-")
        return ">" in self.sign and not copies


class SimpleCommand(Value):
    """A program with its arguments, and all that a line says about how it is started.

    ``sources`` are the words as written, with their quotes. ``wrappers`` were taken off the words, each
    with its options. ``operator`` stands behind the command. ``inner`` are the lines inside it.
    """

    words: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    wrappers: tuple[tuple[str, ...], ...] = ()
    redirections: tuple[Redirection, ...] = ()
    documents: tuple[str, ...] = ()
    folder: str = ""
    operator: str = ""
    inner: tuple[CommandLine, ...] = ()

    @property
    def program(self) -> str:
        """Return the name of the program, without its folder."""
        return base_name(self.words[0]) if self.words else ""

    @property
    def arguments(self) -> tuple[str, ...]:
        """Return the words behind the program."""
        return self.words[1:]

    @property
    def outputs(self) -> tuple[str, ...]:
        """Return the files that redirections write."""
        return tuple(each.target for each in self.redirections if each.is_output)

    @property
    def is_shell(self) -> bool:
        """True if the program only runs a script that is an argument, and is read as inner line."""
        return any(line.kind == SCRIPT for line in self.inner)


class CommandLine(Value):
    """The commands of a line in order; ``is_complete`` unless a quote or a bracket never closes."""

    commands: tuple[SimpleCommand, ...] = ()
    kind: str = ""
    is_complete: bool = True

    def walk(self, *kinds: str) -> Iterator[SimpleCommand]:
        """Yield commands, each before those of its inner lines of these kinds; of all if none is given."""
        for command in self.commands:
            yield command
            for line in command.inner:
                if not kinds or line.kind in kinds:
                    yield from line.walk(*kinds)

    def steps(self) -> Iterator[SimpleCommand]:
        """Yield the commands that say what a line does; a shell gives way to its script."""
        return (each for each in self.walk(SUBSTITUTION, SCRIPT) if not each.is_shell)


def parse_command_line(text: str) -> CommandLine:
    """Read a command line; any text has a reading."""
    return _parse_text(text, "", "", _DEPTH)


def _parse_text(text: str, kind: str, folder: str, depth: int) -> CommandLine:
    tokens, is_complete = read_tokens(text)
    return CommandLine(_Parser(text, depth).parse(tokens, folder), kind, is_complete)


def join_folder(folder: str, path: str) -> str:
    """Return a path as seen from where its folder is seen from."""
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


def is_wrapper(name: str) -> bool:
    """True if a program only starts another one."""
    return name in _WRAPPERS


def read_options(
    words: Sequence[str], at: int, valued: Collection[str]
) -> tuple[list[tuple[str, str]], int]:
    """Return the options from a place on with their values, and where they end."""
    found: list[tuple[str, str]] = []
    while at < len(words) and words[at][:1] == "-":
        word, at = words[at], at + 1
        if word == "--":
            break
        option, equals, value = word.partition("=")
        if word[1:2] != "-":
            option, value = _short_option(word, valued)
        if option in valued and not value and not equals and at < len(words):
            value, at = words[at], at + 1
        found.append((option, value))
    return found, at


def _short_option(word: str, valued: Collection[str]) -> tuple[str, str]:
    """Return the letter of a group that takes a value, with the value behind it; else the group."""
    for at, letter in enumerate(word[1:], start=2):
        if f"-{letter}" in valued:
            return f"-{letter}", word[at:]
    return word, ""


def skip_wrappers(words: Sequence[str]) -> tuple[int, list[tuple[int, int]]]:
    """Return where the program stands behind wrappers, keywords and variables, and where wrappers stand.

    A wrapper that starts nothing is the program itself.
    """
    at, wrappers = 0, list[tuple[int, int]]()
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
    """Return where a wrapper's options and own arguments end; the end of all words if it only asks."""
    table = _WRAPPERS[name].split()
    while at < len(words) and (words[at][:1] == "-" or _is_amount(words[at])):
        options, at = read_options(words, at, table)
        if any(option in _ALONE.get(name, ()) for option, _ in options):
            return len(words)
        at += at < len(words) and _is_amount(words[at])
    own = [word for word in table if word[0] != "-"]
    return at + (at < len(words) and own != [] and (own != [_DURATION] or words[at][0] == "$"))


def _is_amount(word: str) -> bool:
    """True if a word is a number or a duration, which is no name of a program."""
    return word.rstrip("smhd").replace(".", "", 1).isdecimal()


class _Draft:
    """Tokens of one command."""

    def __init__(self) -> None:
        self.words: list[Token] = []
        self.redirections: list[tuple[Token, Token]] = []
        self.documents: list[str] = []
        self.operator = ""


def _split_tokens(tokens: Iterable[Token]) -> list[_Draft]:
    """Return the tokens of each command; a here-document goes to the command that asked for it."""
    drafts, waiting, sign = [_Draft()], list[_Draft](), None
    for token in tokens:
        draft = drafts[-1]
        if token.kind == OPERATOR:
            draft.operator, sign = token.text, None
            drafts.append(_Draft())
        elif token.kind == REDIRECTION:
            sign = token
        elif token.kind == DOCUMENT:
            waiting.pop(0).documents.append(token.text)
        elif token.kind == WORD and sign is None:
            draft.words.append(token)
        elif token.kind == WORD and sign is not None:
            draft.redirections.append((sign, token))
            waiting += [draft] * (sign.text.strip(_DIGITS) in HERE_SIGNS)
            sign = None
    return drafts


class _Parser:
    """Commands out of the tokens of a text."""

    def __init__(self, text: str, depth: int) -> None:
        self._text, self._depth = text, depth

    def parse(self, tokens: Iterable[Token], folder: str) -> tuple[SimpleCommand, ...]:
        """Return the commands in order; a bracket remembers the folder, and ``cd`` leads to another."""
        folders, found = [folder], list[SimpleCommand]()
        for draft in _split_tokens(tokens):
            command = self._command(draft, folders[-1])
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

    def _command(self, draft: _Draft, folder: str) -> SimpleCommand:
        texts = [token.text for token in draft.words]
        sources = [self._text[token.start : token.end] for token in draft.words]
        at, spans = skip_wrappers(texts)
        wrappers = tuple(tuple(texts[start:end]) for start, end in spans)
        inside = {place for start, end in spans for place in range(start, end)}
        before = (word for place, word in enumerate(texts[:at]) if place not in inside)
        if wrappers and not {*_SPLIT}.isdisjoint(wrappers[-1]):
            texts[at : at + 1] = sources[at : at + 1] = texts[at].split()
        words = tuple(texts[at:])
        folder = _started_in(folder, (*wrappers, words))
        return SimpleCommand(
            words,
            tuple(sources[at:]),
            tuple(filter(is_assignment, before)),
            wrappers,
            tuple(_redirection(sign.text, target.text) for sign, target in draft.redirections),
            tuple(draft.documents),
            folder,
            _OPERATORS.get(draft.operator, draft.operator),
            tuple(self._inner(draft, words, folder)) if self._depth else (),
        )

    def _inner(self, draft: _Draft, words: tuple[str, ...], folder: str) -> Iterator[CommandLine]:
        for token in (*draft.words, *(target for _, target in draft.redirections)):
            for tokens, quoted in token.substitutions:
                commands = _Parser(self._text, self._depth - 1).parse(tokens, folder)
                yield CommandLine(commands, QUOTED if quoted else SUBSTITUTION)
        for kind, script in _scripts(words, draft.documents):
            yield _parse_text(script, kind, folder, self._depth - 1)


def _redirection(sign: str, target: str) -> Redirection:
    bare = sign.lstrip(_DIGITS)
    return Redirection(sign[: -len(bare)], bare, target)


def _started_in(folder: str, calls: Iterable[tuple[str, ...]]) -> str:
    """Return the folder that options of wrappers and of git lead to."""
    for name, call in ((base_name(call[0]), call) for call in calls if call):
        if name in _FOLDER:
            valued = GIT_VALUED if name == "git" else _WRAPPERS[name].split()
            for option, value in read_options(call, 1, valued)[0]:
                folder = join_folder(folder, value) if option in _FOLDER[name] else folder
    return folder


def _scripts(words: Sequence[str], documents: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the lines that a program is given to run, each with its kind."""
    name = base_name(words[0]) if words else ""
    if name == "eval":
        yield STARTED, " ".join(words[1:])
    elif name == "find":
        yield from ((STARTED, join_words(call)) for call in _find_calls(words))
    if name not in _SHELLS:
        return
    at = 1
    while at < len(words) and (word := words[at])[:1] in ("-", "+"):
        if word[:1] == "-" != word[1:2] and "c" in word:
            yield from ((SCRIPT, script) for script in words[at + 1 : at + 2])
            return
        at += 2 if word[-1:] in ("o", "O") and word[1:2] != "-" else 1
    if at >= len(words):  # else a file is run, and the rest is its input
        yield from ((STARTED, document) for document in documents)


def _find_calls(words: Sequence[str]) -> Iterator[list[str]]:
    """Yield the words of each call that ``find`` makes."""
    call: list[str] | None = None
    for word in words:
        if call is None:
            call = [] if word in _EXEC else None
        elif word in (";", "+"):
            yield call
            call = None
        else:
            call.append(word)
    if call:
        yield call


def join_words(words: Iterable[str]) -> str:
    """Return words as a command line, with quotes where a shell needs them."""
    return " ".join(
        word if word and word[0] != "#" and SPECIAL.isdisjoint(word) else _quote(word)
        for word in words
    )


def _quote(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"
