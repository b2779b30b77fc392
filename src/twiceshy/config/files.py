"""Find and read the files that hold settings; the ones in a project may be hostile."""

from __future__ import annotations

import os
import stat

from twiceshy.core.errors import ConfigError

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

USER_FILE = "config.toml"
PROJECT_FILE = ".twiceshy.toml"
KEEPER_PROJECT_FILE = ".claude/memory/config.json"
KEEPER_USER_FILE = ".claude/memory-keeper/config.json"

# What nests deeply costs the parser quadratic time: 1.1 s for 64 KiB in one key, 0.07 s for 16.
LARGEST = 16_384
LARGEST_TRUSTED = 262_144


def in_project(name: str, *, cwd: str, home_dir: str) -> str:
    """Return the nearest such file from ``cwd`` up to the root of its repository, or nothing."""
    paths = (os.path.join(folder, name) for folder in _upwards(cwd, home_dir))
    return next((path for path in paths if os.path.lexists(path)), "")


def read_toml(path: str, *, trusted: bool) -> dict[str, object]:
    """Return what a TOML file says; nothing when there is no such file."""
    if (text := read(path, trusted=trusted)) is None:
        return {}
    import tomllib  # noqa: PLC0415  (9 ms on top of json, for those who have a file)

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # 5,000 digits are a ValueError of int()
        raise ConfigError(
            f"{path} is not valid TOML: {error}", hint="correct that line, or move the file away"
        ) from error


def read_json(path: str, *, trusted: bool) -> dict[str, object]:
    """Return what a JSON file says; nothing when there is no such file."""
    if (text := read(path, trusted=trusted)) is None:
        return {}
    import json  # noqa: PLC0415  (only those who used memory-keeper have such a file)

    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} is not valid JSON: {error}") from error
    if not isinstance(found, dict):
        raise ConfigError(f"{path} is not a JSON object")
    return found


def read(path: str, *, trusted: bool) -> str | None:
    """Return the text of a plain file, or None when there is none."""
    # A clone can hold a link to /dev/zero or a pipe that nobody writes to: never wait, never follow.
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if trusted else os.O_NOFOLLOW)
    largest = LARGEST_TRUSTED if trusted else LARGEST
    try:
        descriptor = os.open(path, flags)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ConfigError(f"{path} is not a plain file")
        with open(descriptor, "rb", closefd=False) as file:
            content = file.read(largest + 1)
    finally:
        os.close(descriptor)
    if len(content) > largest:
        raise ConfigError(f"{path} is larger than {largest:,} bytes")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 text") from error


def _upwards(cwd: str, home_dir: str) -> Iterator[str]:
    """Yield the folders that may be the project's: not the user's home, not the file system's root."""
    home = os.path.realpath(home_dir)
    folder = os.path.realpath(cwd)
    while folder not in (home, os.path.dirname(folder)):
        yield folder
        if os.path.lexists(os.path.join(folder, ".git")):
            return
        folder = os.path.dirname(folder)
