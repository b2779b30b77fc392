"""Files written by a call: tool arguments, and arguments of shell programs."""

from __future__ import annotations

from twiceshy.safety.guard import SHELL, WRITERS
from twiceshy.shell import KNOWN
from twiceshy.shell.call_words import get_command_line
from twiceshy.shell.command_line import base_name, join_folder, parse_command_line

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from twiceshy.shell.command_line import SimpleCommand

_PATHS = ("file_path", "notebook_path")
_PATCH = "patch"
_CHANGED = ("*** Add File: ", "*** Update File: ", "*** Move to: ")

_EACH = frozenset("tee touch truncate".split())  # they write every file they are given
_ONTO = frozenset("cp mv install ln rsync scp".split())  # they write the last one
_ONTO_VALUES = frozenset("-m -o -g -S -e --mode --owner --group --suffix --rsh".split())
_FOLDER = ("-t", "--target-directory")
_IN_PLACE = frozenset("sed gsed perl ruby".split())
_SCRIPT = ("-e", "-f", "--expression", "--file")
# They write the file behind one of these options.
_OPTIONS = {
    "curl": ("-o", "--output"),
    "wget": ("-O", "--output-document"),
    "openssl": ("-out", "-keyout"),
    "ssh-keygen": ("-f",),
    "age-keygen": ("-o", "--output"),
    "gpg": ("-o", "--output"),
    "sort": ("-o", "--output"),
}
_PROGRAMS = frozenset(("dd", *_EACH, *_ONTO, *_IN_PLACE, *_OPTIONS))
_MOST_UNLISTED = 2  # words of a wrapper that nobody listed


def files_written_by_call(tool: str, arguments: Mapping[str, object]) -> tuple[str, ...]:
    """Return the files a tool call would write, as named in the call."""
    if tool == SHELL:
        return files_written_by_line(get_command_line(arguments))
    if tool not in WRITERS:
        return ()
    named = [path for name in _PATHS if isinstance(path := arguments.get(name), str)]
    return tuple(dict.fromkeys([*named, *_files_in_patch(arguments.get(_PATCH))]))


def files_written_by_line(line: str) -> tuple[str, ...]:
    """Return the files written by the programs of a command line."""
    found = [
        join_folder(command.folder, path)
        for command in parse_command_line(line).walk_commands()
        for path in _of_command(command)
    ]
    return tuple(dict.fromkeys(found))


def _files_in_patch(patch: object) -> list[str]:
    lines = patch.splitlines() if isinstance(patch, str) else []
    return [
        line[len(mark) :].strip() for line in lines for mark in _CHANGED if line.startswith(mark)
    ]


def _of_command(command: SimpleCommand) -> Iterator[str]:
    yield from command.outputs
    words = _skip_to_writer(command.words)
    program, given = base_name("".join(words[:1])), words[1:]
    if program in _EACH:
        yield from _plain_arguments(given)
    elif program in _ONTO:
        yield from _copy_targets(given)
    elif program in _IN_PLACE:
        yield from _edited_in_place(given)
    elif program in _OPTIONS:
        yield from _option_values(given, _OPTIONS[program])
    elif program == "dd":
        yield from (word[3:] for word in given if word.startswith("of="))


def _skip_to_writer(words: Sequence[str]) -> Sequence[str]:
    """Return the words from a program that writes; an unknown one before it may be a wrapper."""
    if not words or base_name(words[0]) in _PROGRAMS.union(KNOWN):
        return words
    places = range(1, min(len(words), _MOST_UNLISTED + 1))
    return next((words[at:] for at in places if base_name(words[at]) in _PROGRAMS), words)


def _plain_arguments(words: Sequence[str]) -> list[str]:
    return [word for word in words if word and not word.startswith("-")]


def _copy_targets(words: Sequence[str]) -> Iterator[str]:
    """Yield the targets of a copy: the last name, or files below."""
    folder = next(_option_values(words, _FOLDER), "")
    skipped = _ONTO_VALUES.union(_FOLDER)
    behind = zip(("", *words), words, strict=False)
    names = _plain_arguments([word for before, word in behind if before not in skipped])
    *sources, target = [*names, folder] if folder else names or [""]
    if ":" in target:  # on another machine
        return
    if folder or len(sources) > 1 or target.endswith(("/", ".")):
        yield from (join_folder(target, source.rpartition("/")[2]) for source in sources)
    elif sources:
        yield target


def _edited_in_place(words: Sequence[str]) -> list[str]:
    """Return the files changed by a stream editor; a script without option comes first."""
    if not any(_has_short_option(word, "i") or word.startswith("--in-place") for word in words):
        return []
    scripts = [
        word in _SCRIPT or (word[-1:] == "e" and _has_short_option(word, "e")) for word in words
    ]
    behind = zip((False, *scripts), words, strict=False)
    names = _plain_arguments([word for script, word in behind if not script])
    return names if any(scripts) else names[1:]


def _has_short_option(word: str, letter: str) -> bool:
    """True if a word of short options has this option."""
    return word[:1] == "-" != word[1:2] and letter in word


def _option_values(words: Sequence[str], options: Sequence[str]) -> Iterator[str]:
    for at, word in enumerate(words, start=1):
        option, equals, value = word.partition("=")
        if word in options:
            yield from words[at : at + 1]
        elif equals and option in options:
            yield value
