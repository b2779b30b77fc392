"""Change a setting in the user's config.toml; every other line stays as written."""

from __future__ import annotations

import json
import os

from twiceshy.config.files import read_plain_file
from twiceshy.config.quick import USER_FILE
from twiceshy.core.errors import ConfigError
from twiceshy.files.lock import FileLock
from twiceshy.files.replace import replace_file

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable

    from twiceshy.config.shapes import Plain

    Path = tuple[str, ...]

GREETING = "# Settings of twiceshy; `twiceshy config --all` lists every key.\n"


def format_value(value: Plain) -> str:
    """Format a value as TOML."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(format_value, value))}]"
    return json.dumps(value, ensure_ascii=False)  # JSON and TOML agree on all that is printable


def format_key(path: Path) -> str:
    """Format a key as TOML, quoted where needed."""
    return ".".join(part if _is_bare_key(part) else format_value(part) for part in path)


def set_value(text: str, path: Path, value: Plain) -> str:
    """Return the text with ``path`` set to ``value``."""
    from twiceshy.files.toml_edit import set_value  # noqa: PLC0415 - it loads tomlkit

    plain = list(value) if isinstance(value, tuple) else value
    return _edit_text(text, lambda: set_value(text, path, plain), f"set {format_key(path)}")


def remove_value(text: str, path: Path) -> str:
    """Return the text without ``path`` and everything below."""
    from twiceshy.files.toml_edit import remove_values  # noqa: PLC0415 - it loads tomlkit

    return _edit_text(text, lambda: remove_values(text, path), f"remove {format_key(path)}")


def rewrite_config(home: str, change: Callable[[str], str]) -> bool:
    """Apply a change to the user's file under a lock; True if the text changed."""
    path = os.path.realpath(os.path.join(home, USER_FILE))  # some link it to their dotfiles
    try:
        os.makedirs(home, mode=0o700, exist_ok=True)
        with FileLock(home):
            there = read_plain_file(path, trusted=True)
            before = GREETING if there is None else there
            if (after := change(before)) != before:
                replace_file(path, after.encode(), durable=True)
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be written: {error.strerror}", hint="is its folder yours to write?"
        ) from error
    return after != before


def _edit_text(text: str, change: Callable[[], str], by_hand: str) -> str:
    import tomllib  # noqa: PLC0415 - a list of settings needs none

    try:
        tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            f"your config.toml is not valid TOML: {error}", hint="correct that line first"
        ) from error
    try:
        return change()
    except ValueError as error:
        raise ConfigError(
            f"cannot edit config.toml automatically: unsupported layout; {by_hand} by hand",
            hint="open it with an editor; `twiceshy config --explain` tells where it is",
        ) from error


def _is_bare_key(part: str) -> bool:
    return part.isascii() and part.replace("-", "0").replace("_", "0").isalnum()
