"""Change one setting in the user's file and leave every other line as its author wrote it.

The parser of the standard library tells where statements begin and end, and in the end whether the
new text says what the old one said but for the one change; if it does not, nothing is written.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import tomllib

from twiceshy.config.files import read
from twiceshy.config.quick import USER_FILE
from twiceshy.core.errors import ConfigError
from twiceshy.core.value import Value
from twiceshy.files.lock import Turn
from twiceshy.files.replace import replace_file

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from twiceshy.config.shapes import Plain

    Path = tuple[str, ...]

GREETING = "# Settings of twiceshy; `twiceshy config --all` lists every key.\n"


class Statement(Value):
    """A header or an assignment: its lines, the section it stands in, and what it assigns."""

    first: int
    end: int
    section: Path
    paths: tuple[Path, ...]  # from the root; none: it is a header


def literal(value: Plain) -> str:
    """Write a value as TOML."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(literal, value))}]"
    return json.dumps(value, ensure_ascii=False)  # JSON and TOML agree on all that is printable


def dotted(path: Path) -> str:
    """Write a key as TOML, with quotes where a part needs them."""
    return ".".join(part if _bare(part) else literal(part) for part in path)


def with_value(text: str, path: Path, value: Plain) -> str:
    """Return the text with ``path`` set to ``value``."""
    lines = _lines(text)
    wanted = _leaves(_parsed(text)) | {path: list(value) if isinstance(value, tuple) else value}
    found = list(_statements(lines))
    there = next((each for each in found if each.paths == (path,)), None)
    if there:
        old = "".join(lines[there.first : there.end])
        indent = old[: len(old) - len(old.lstrip())]
        new = f"{indent}{dotted(path[len(there.section) :])} = {literal(value)}{_comment(old)}\n"
        lines[there.first : there.end] = [new]
    else:
        at, depth, header = _opening(lines, found, path)
        lines[at:at] = [f"{header}{dotted(path[depth:])} = {literal(value)}\n"]
    return _checked("".join(lines), wanted)


def without(text: str, path: Path) -> str:
    """Return the text without ``path`` and all that is below it."""
    lines = _lines(text)
    wanted = {each: value for each, value in _leaves(_parsed(text)).items() if not _in(path, each)}
    for statement in reversed(list(_statements(lines))):
        if statement.paths and all(_in(path, each) for each in statement.paths):
            del lines[statement.first : statement.end]
    return _checked("".join(lines), wanted)


def rewrite(home: str, change: Callable[[str], str]) -> bool:
    """Apply a change to the user's file, one process at a time; tell whether it made a difference."""
    path = os.path.realpath(os.path.join(home, USER_FILE))  # some link it to their dotfiles
    try:
        os.makedirs(home, mode=0o700, exist_ok=True)
        with Turn(home):
            there = read(path, trusted=True)
            before = GREETING if there is None else there
            if (after := change(before)) != before:
                replace_file(path, after.encode(), durable=True)
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be written: {error.strerror}", hint="is its folder yours to write?"
        ) from error
    return after != before


def _statements(lines: list[str]) -> Iterator[Statement]:
    section: Path = ()
    first = 0
    while first < len(lines):
        end, said = _complete(lines, first)
        opening = lines[first].lstrip()
        paths = tuple(section + path for path in _leaves(said))
        if opening.startswith("["):
            section = _section(said, opening)
            yield Statement(first, end, section, ())
        elif paths:
            yield Statement(first, end, section, paths)
        first = end


def _complete(lines: list[str], first: int) -> tuple[int, dict[str, object]]:
    """Return where the statement ends: after as many lines as it takes to make sense."""
    for end in range(first + 1, len(lines)):
        with contextlib.suppress(tomllib.TOMLDecodeError):
            return end, tomllib.loads("".join(lines[first:end]))
    return len(lines), tomllib.loads("".join(lines[first:]))


def _section(said: Mapping[str, object], opening: str) -> Path:
    if opening.startswith("[["):
        return (opening,)  # a list of tables holds no setting: a name that matches none
    path: Path = ()
    inner: object = said
    while isinstance(inner, dict) and inner:
        ((name, inner),) = inner.items()
        path += (name,)
    return path


def _leaves(said: Mapping[str, object], path: Path = ()) -> dict[Path, object]:
    found: dict[Path, object] = {}
    for name, value in said.items():
        if isinstance(value, dict):
            found |= _leaves(value, (*path, name))
        else:
            found[*path, name] = value
    return found


def _opening(lines: list[str], found: list[Statement], path: Path) -> tuple[int, int, str]:
    """Return the line for a new assignment, how much of its path is said there, and a header."""
    siblings = [s for s in found if any(each[:-1] == path[:-1] for each in s.paths)]
    headers = [s for s in found if not s.paths and s.section == path[:-1]]
    for last in siblings[-1:] or headers[-1:]:
        return last.end, len(last.section), ""
    if path[:-1]:
        return len(lines), len(path) - 1, f"\n[{dotted(path[:-1])}]\n"
    at = next((s.first for s in found if not s.paths), len(lines))
    while 0 < at < len(lines) and lines[at - 1].startswith("#"):
        at -= 1  # what stands right above a header belongs to it
    while at and not lines[at - 1].strip():
        at -= 1
    return at, 0, ""


def _comment(statement: str) -> str:
    """Return the comment at the end of a statement, with the blanks before it."""
    bare = statement.rstrip()
    said = tomllib.loads(bare)
    for at in (at for at, char in enumerate(bare) if char == "#"):
        with contextlib.suppress(tomllib.TOMLDecodeError):
            if tomllib.loads(bare[:at]) == said:
                return bare[len(bare[:at].rstrip()) :]
    return ""


def _checked(text: str, wanted: dict[Path, object]) -> str:
    with contextlib.suppress(tomllib.TOMLDecodeError):
        if _leaves(tomllib.loads(text)) == wanted:
            return text
    raise ConfigError(
        "the way your config.toml is written leaves no room for this change",
        hint="change it with an editor; `twiceshy config --explain` tells where it is",
    )


def _parsed(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise ConfigError(
            f"your config.toml is not valid TOML: {error}", hint="correct that line first"
        ) from error


def _lines(text: str) -> list[str]:
    """Split where TOML does, which is at fewer characters than str.splitlines."""
    lines = list(io.StringIO(text, newline="\n"))
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    return lines


def _in(path: Path, each: Path) -> bool:
    return each[: len(path)] == path


def _bare(part: str) -> bool:
    return part.isascii() and part.replace("-", "0").replace("_", "0").isalnum()
