"""The small file that remembers when a newer version was asked for, which there is, and who was told."""

from __future__ import annotations

import os

from twiceshy import __version__
from twiceshy.core.jsontext import parse_object, write
from twiceshy.core.release import notice, numbers
from twiceshy.core.value import Value

_NAME = "update.json"
_LARGEST = 4_096


class Asked(Value):
    """What is known: when an index was asked, what it said, and which version people were told of."""

    at: int = 0
    version: str = ""
    shown: str = ""


def asked(home: str) -> Asked:
    """Return what the file says; one that is none of ours says nothing."""
    try:
        with open(_opened(_path(home)), "rb") as file:
            said = parse_object(file.read(_LARGEST).decode())
    except (OSError, ValueError, RecursionError):
        return Asked()
    at = said.get("at")
    return Asked(
        at if type(at) is int else 0, _version(said.get("version")), _version(said.get("shown"))
    )


def keep_asked(home: str, known: Asked) -> None:
    """Write it down as a whole, for its owner alone."""
    path = _path(home)
    os.makedirs(home, mode=0o700, exist_ok=True)
    draft = f"{path}.{os.getpid()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    try:
        with open(os.open(draft, flags, 0o600), "wb") as file:
            file.write(write(known.fields()).encode())
        os.replace(draft, path)
    except OSError:
        if os.path.lexists(draft):
            os.unlink(draft)
        raise


def pending_notice(home: str, current: str = __version__) -> str:
    """Return the line about a newer version that people were not told of yet; mostly nothing."""
    if not os.path.lexists(_path(home)):
        return ""
    known = asked(home)
    return notice(known.version, current) if known.version != known.shown else ""


def notice_shown(home: str) -> None:
    """Remember that people were told; called after that, so that nobody misses it."""
    known = asked(home)
    keep_asked(home, known.but(shown=known.version))


def _path(home: str) -> str:
    return os.path.join(home, _NAME)


def _opened(path: str) -> int:
    return os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | os.O_NONBLOCK)


def _version(said: object) -> str:
    return said if isinstance(said, str) and numbers(said) else ""
