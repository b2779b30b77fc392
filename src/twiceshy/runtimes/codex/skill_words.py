"""Detect skill loads without a skill tool: mentions in prompts, and file reads.

Both found in Codex 0.166 itself. ``$name`` is a mention anywhere, to the letter, except
names of well-known variables; reading a SKILL.md is left to the shell.
"""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

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
_OPEN = frozenset("*?[{$`")  # a path with one of these is whatever the shell makes of it


def find_mentions(prompt: str) -> tuple[str, ...]:
    """Return names mentioned like skills in a prompt; existence is unchecked."""
    names = (_mention_name(part) for part in prompt.split("$")[1:])
    told = (name for name in names if name and name.upper() not in _VARIABLES)
    return tuple(dict.fromkeys(told))[:_MOST_MENTIONS]


def _mention_name(text: str) -> str:
    length = next((at for at, char in enumerate(text) if char not in _IN_NAMES), len(text))
    name = text[:length]
    fits = length <= _LONGEST_NAME and not name.endswith(":") and not name.isdecimal()
    return name if fits else ""


def find_skill_read(command: str) -> str:
    """Return the SKILL.md path read by a command; empty for other uses."""
    if _FILE not in command or len(command) > _LONGEST_COMMAND:
        return ""
    from twiceshy.shell.command_line import base_name, join_folder, parse_command_line  # noqa: PLC0415 - hardly any command names a SKILL.md

    line = parse_command_line(command)
    read = [
        join_folder(each.folder, word)
        for each in line.walk_commands()
        if each.program in _READERS and not _edits_file(each.program, each.arguments)
        for word in each.arguments
        if base_name(word) == _FILE
    ]
    known = (
        line.is_complete and 0 < len(read) <= _MOST_READ and not _OPEN.intersection("".join(read))
    )
    return read[0] if known else ""


def _edits_file(program: str, words: Sequence[str]) -> bool:
    return program == "sed" and any(word.startswith(("-i", "--in-place")) for word in words)
