"""Find and read settings files; files in a project may be hostile."""

import os
import stat

from twiceshy.config.plain_toml import parse_plain_toml
from twiceshy.core.errors import ConfigError
from twiceshy.files import is_foreign_file

KEEPER_PROJECT_FILE = ".claude/memory/config.json"
KEEPER_USER_FILE = ".claude/memory-keeper/config.json"

# What nests deeply costs the parser quadratic time: 1.1 s for 64 KiB in one key, 0.07 s for 16.
LARGEST = 16_384
LARGEST_TRUSTED = 262_144


def read_toml(path: str, *, trusted: bool) -> dict[str, object]:
    """Return the parsed TOML file; empty if missing."""
    if (text := read_plain_file(path, trusted=trusted)) is None:
        return {}
    if (found := parse_plain_toml(text)) is not None:
        return found
    import tomllib  # noqa: PLC0415  (9 ms on top of json, for those whose file is not plain)

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # 5,000 digits are a ValueError of int()
        raise ConfigError(
            f"{path} is not valid TOML: {error}", hint="correct that line, or move the file away"
        ) from error


def read_json(path: str, *, trusted: bool) -> dict[str, object]:
    """Return the parsed JSON file; empty if missing."""
    if (text := read_plain_file(path, trusted=trusted)) is None:
        return {}
    import json  # noqa: PLC0415  (only those who used memory-keeper have such a file)

    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} is not valid JSON: {error}") from error
    if not isinstance(found, dict):
        raise ConfigError(f"{path} is not a JSON object")
    return found


def read_plain_file(path: str, *, trusted: bool) -> str | None:
    """Return the text of a plain file; None if missing."""
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
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise ConfigError(f"{path} is not a plain file")
        if trusted and is_foreign_file(found):
            raise ConfigError(f"{path} belongs to another user", hint="give it to yourself: chown")
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
