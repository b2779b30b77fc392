"""What a call aims at, by what its arguments hold rather than by whose tool it is."""

from __future__ import annotations

from twiceshy.core.jsontext import parse, write
from twiceshy.shell.failure.excerpts import words

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

_LONGEST = 1_000
_TELLING = ("command", "cmd", "file_path", "notebook_path", "filePath", "path", "absolute_path")
_NAMING = ("skill", "name", "command")


def aim(tool: str, arguments: Mapping[str, object] | str) -> str:
    """Return one line of whole words; arguments come as a mapping or as the JSON of one."""
    given = _parsed(arguments) if isinstance(arguments, str) else arguments
    for name in _NAMING if tool.lower() == "skill" else _TELLING:
        if found := _line(given.get(name)):
            return words(_flat(found) if "\n" in found else found, _LONGEST)
    if given:
        return words(write(given), _LONGEST)
    return words(arguments, _LONGEST) if isinstance(arguments, str) and arguments != "{}" else ""


def _line(value: object) -> str:
    """Return a text, or a command that comes word by word, as one line."""
    match value:
        case str():
            return value.strip()
        case [*parts] if all(isinstance(part, str) for part in parts):
            return " ".join(map(str, parts)).strip()
        case _:
            return ""


def _flat(command: str) -> str:
    from twiceshy.shell.failure.shell import on_one_line  # noqa: PLC0415 - most are of one line

    return on_one_line(command)


def _parsed(arguments: str) -> Mapping[str, object]:
    try:
        given = parse(arguments)
    except (ValueError, RecursionError):
        return {}
    return given if isinstance(given, dict) else {}
