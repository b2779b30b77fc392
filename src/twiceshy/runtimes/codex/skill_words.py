"""How a skill is loaded where no tool does it: its name is mentioned in a prompt, or its file is read.

Both were found out from Codex 0.166 itself. It takes ``$name`` for a mention wherever it stands, to the
letter, but for the names of well-known variables; and it leaves reading a SKILL.md to the shell.
"""

from __future__ import annotations

_FILE = "SKILL.md"
_IN_NAMES = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-:")
_VARIABLES = frozenset(
    "HOME LANG PATH PWD SHELL TEMP TERM TMP TMPDIR USER XDG_CONFIG_HOME".split()
)
_MOST_MENTIONS = 8
_LONGEST_NAME = 100
# They put a file before whoever asked; what looks for something in it, or counts it, does not.
_READERS = frozenset("awk bat batcat cat head less more nl sed tail".split())
_MOST_READ = 2  # who reads more of them at once is looking around
_LONGEST_COMMAND = 4_000
_BREAKS = frozenset(";&|()\n<>")
_OPEN = frozenset("*?[{$`")  # a path with one of these is whatever the shell makes of it


def mentioned(prompt: str) -> tuple[str, ...]:
    """Return the names that a prompt mentions as skills are mentioned; whether they are is not known."""
    names = (_name(part) for part in prompt.split("$")[1:])
    told = (name for name in names if name and name.upper() not in _VARIABLES)
    return tuple(dict.fromkeys(told))[:_MOST_MENTIONS]


def _name(text: str) -> str:
    length = next((at for at, char in enumerate(text) if char not in _IN_NAMES), len(text))
    name = text[:length]
    fits = length <= _LONGEST_NAME and not name.endswith(":") and not name.isdecimal()
    return name if fits else ""


def skill_read(command: str) -> str:
    """Return the path of the SKILL.md that a command reads; none if it does something else with it."""
    if _FILE not in command or len(command) > _LONGEST_COMMAND:
        return ""
    read, folder = [], ""
    for program, *words in _programs(command):
        if program == "cd":
            folder = _below(folder, words[-1]) if words else ""
        elif program.rpartition("/")[2] in _READERS and not _edits(program, words):
            named = [word for word in words if word.rpartition("/")[2] == _FILE]
            read += [_below(folder, word) for word in named]
    known = 0 < len(read) <= _MOST_READ and not _OPEN.intersection("".join(read))
    return read[0] if known else ""


def _programs(command: str) -> list[list[str]]:
    """Return the words of every program on a command line; none if its quotes do not close."""
    import shlex  # noqa: PLC0415 - hardly any command names a SKILL.md

    lexer = shlex.shlex(command, posix=True, punctuation_chars="".join(_BREAKS))
    lexer.whitespace, lexer.commenters, lexer.whitespace_split = " \t\r", "", True
    programs: list[list[str]] = [[]]
    try:
        for word in lexer:
            if _BREAKS.issuperset(word):
                programs.append([])
            else:
                programs[-1].append(word)
    except ValueError:
        return []
    return [words for words in programs if words]


def _edits(program: str, words: list[str]) -> bool:
    return program == "sed" and any(word.startswith(("-i", "--in-place")) for word in words)


def _below(folder: str, path: str) -> str:
    return path if path.startswith(("/", "~")) or not folder else f"{folder}/{path}"
