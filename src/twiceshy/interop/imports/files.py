"""Read foreign files: plain, bounded, never through links out of their folder."""

import os
import stat
from collections.abc import Callable, Iterator

from twiceshy.core.errors import NoteError, TwiceshyError

LARGEST = 4 * 1024 * 1024  # bytes; the largest KNOWLEDGE.md that people have is a hundredth
MOST_FILES = 10_000
DEEPEST = 8


class UnreadableError(TwiceshyError):
    """A file that must not or cannot be read."""


def read_text_file(path: str, *, within: str = "", largest: int = LARGEST) -> str:
    """Return the text of a plain file inside the folder ``within``."""
    folder = os.path.realpath(within or os.path.dirname(path))
    real = os.path.realpath(path)
    if not real.startswith(os.path.join(folder, "")):
        raise UnreadableError("it is a link that leads out of its folder")
    return _decode_text(read_bytes(real, largest))


def modified_at(path: str) -> int:
    """Return the modification time in milliseconds; 0 if unknown."""
    try:
        return os.stat(path).st_mtime_ns // 1_000_000
    except OSError:
        return 0


def list_file_names(folder: str, suffix: str = "") -> list[str]:
    """Return plain file names in a folder, in order; empty if unreadable."""
    return _list_names(folder, lambda each: each.name.endswith(suffix) and each.is_file())


def list_folder_names(folder: str, *, hidden: bool = False) -> list[str]:
    """Return folder names in a folder, in order, without links, and hidden ones only if asked."""
    return _list_names(
        folder,
        lambda each: (hidden or each.name[0] != ".") and each.is_dir(follow_symlinks=False),
    )


def _list_names(folder: str, fit: Callable[[os.DirEntry[str]], bool]) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            found = [each.name for each in entries if fit(each)]
    except OSError:
        return []
    return sorted(filter(_is_printable_name, found))[:MOST_FILES]


def walk_files(folder: str, suffix: str, *, depth: int = DEEPEST) -> Iterator[str]:
    """Yield files below a folder by relative path; links are not followed."""
    yield from list_file_names(folder, suffix)
    for inner in list_folder_names(folder) if depth else ():
        for path in walk_files(os.path.join(folder, inner), suffix, depth=depth - 1):
            yield f"{inner}/{path}"


def read_bytes(path: str, largest: int, *, flags: int = 0) -> bytes:
    """Return the content of a plain file; ``flags`` are added when opening it."""
    try:
        # a pipe would let us wait for ever
        with open(
            path, "rb", opener=lambda name, how: os.open(name, how | os.O_NONBLOCK | flags)
        ) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise UnreadableError("it is no plain file")
            content = file.read(largest + 1)
    except OSError as error:
        raise UnreadableError(f"it cannot be read: {error.strerror}") from error
    if len(content) > largest:
        raise UnreadableError(f"it is larger than {largest // 1024} KiB")
    return content


def _decode_text(content: bytes) -> str:
    if b"\0" in content:
        raise UnreadableError("it is no text")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NoteError("it is not valid UTF-8", hint="save it as UTF-8 first") from error


def _is_printable_name(name: str) -> bool:
    """True if a name can be shown and stored; file systems allow any bytes."""
    return name.isprintable() and not any("\ud800" <= each <= "\udfff" for each in name)
