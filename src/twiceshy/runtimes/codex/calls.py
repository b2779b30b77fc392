"""Codex calls in our words: patches as single-file edit tools, and the skills that are loaded.

Codex has no skill tool; both forms found in Codex 0.166 itself. ``$name`` is a mention
anywhere in a prompt, to the letter, except names of well-known variables; reading a SKILL.md
is left to the shell.
"""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping


_ADD, _UPDATE, _DELETE = "*** Add File: ", "*** Update File: ", "*** Delete File: "
_FILES = (_ADD, _UPDATE, _DELETE)
_FILE = "SKILL.md"
_IN_NAMES = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-:")
_VARIABLES = frozenset(
    "HOME LANG PATH PWD SHELL TEMP TERM TMP TMPDIR USER XDG_CONFIG_HOME".split()
)
_MOST_MENTIONS = 8
_LONGEST_NAME = 100
# They put a file before whoever asked; what looks for something in it, or counts it, does not.
_READERS = frozenset("awk bat batcat cat head less more nl sed tail".split())
_IN_PLACE = ("-i", "--in-place")  # of sed, which edits the file then
_MOST_READ = 2  # who reads more of them at once is looking around
_LONGEST_COMMAND = 4_000
_OPEN = frozenset("*?[{$`")  # a path with one of these is whatever the shell makes of it


def parse_patch(patch: str, cwd: str) -> tuple[str, Mapping[str, object]]:
    """Return the tool and arguments for a patch's first file."""
    lines = patch.splitlines()
    first = next((at for at, line in enumerate(lines) if line.startswith(_FILES)), len(lines))
    if first == len(lines):
        return "Edit", {"patch": patch}
    kind = next(mark for mark in _FILES if lines[first].startswith(mark))
    path = lines[first].removeprefix(kind).strip()
    body = _hunk_end(lines[first + 1 :])
    given = {"file_path": path if path.startswith("/") or not cwd else f"{cwd}/{path}"}
    if kind == _ADD:
        return "Write", given | {"content": _side_lines(body, "+")}
    return "Edit", given | {
        "old_string": _side_lines(body, "- "),
        "new_string": _side_lines(body, "+ "),
    }


def parse_file_change(path: str, change: object) -> tuple[str, Mapping[str, object]]:
    """Return tool and arguments for a rollout's file change."""
    match change:
        case {"type": "add", "content": str(content)}:
            return "Write", {"file_path": path, "content": content}
        case {"unified_diff": str(diff)}:
            body = [line for line in diff.splitlines() if not line.startswith(("---", "+++"))]
            sides = {"old_string": _side_lines(body, "- "), "new_string": _side_lines(body, "+ ")}
            return "Edit", {"file_path": path, **sides}
        case _:
            return "Edit", {"file_path": path}


def _hunk_end(lines: list[str]) -> list[str]:
    end = next((at for at, line in enumerate(lines) if line.startswith("*** ")), len(lines))
    return lines[:end]


def _side_lines(lines: list[str], marks: str) -> str:
    """Return the lines of a side of a change; context is on both sides."""
    return "\n".join(line[1:] for line in lines if line[:1] and line[0] in marks)


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
        if each.program in _READERS
        and not (each.program == "sed" and any(a.startswith(_IN_PLACE) for a in each.arguments))
        for word in each.arguments
        if base_name(word) == _FILE
    ]
    known = (
        line.is_complete and 0 < len(read) <= _MOST_READ and not _OPEN.intersection("".join(read))
    )
    return read[0] if known else ""
