"""The spool: records appended to a file while the database is busy.

The next writer takes them in. One line a record, one write a line: eight writers at once lost
none of 800 lines that way. The file is renamed before it is read, to a name used only once,
and deleted after the commit: a crash in between loses nothing, because taking a record in
twice changes nothing.
"""

from __future__ import annotations

import os
from errno import EINVAL
from stat import S_ISREG

from twiceshy.core.jsontext import parse_object, write_json
from twiceshy.core.value import Value
from twiceshy.files import is_foreign_file, open_own, open_plain

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NAME = "spool"
_UNREAD = ".unread"
# A pipe that nobody reads is an error, and not waited for.
_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK


def append_record(path: str, record: Mapping[str, object]) -> None:
    """Append a record, owner-only; OSError if not written completely."""
    text = write_json(record)
    # it begins on a line of its own, even after one that a full disk cut short
    line = f"\n{text}\n".encode("utf-8", "replace")
    while not _write_line(path, line):
        pass


def count_waiting(path: str) -> int:
    """Count the waiting records."""
    return len(list_waiting(path))


def list_waiting(path: str) -> list[dict[str, object]]:
    """Return the waiting records, and those that a writer is taking in."""
    files = [*_list_batches(path), *([path] if os.path.isfile(path) else [])]
    return [record for file in files for record in _read_records(file)]


def count_unread(path: str) -> int:
    """Count the records in the format of a newer version."""
    unread = path + _UNREAD
    return len(_read_records(unread)) if os.path.isfile(unread) else 0


class SpoolBatch(Value):
    """The files of drained records, and the records of unknown format."""

    files: tuple[str, ...]
    unread: tuple[Mapping[str, object], ...]


def drain_records(
    path: str, take: Callable[[dict[str, object]], bool], *, unique: str
) -> SpoolBatch:
    """Pass every waiting record to ``take``, inside the caller's transaction.

    Return the batch for ``delete_drained``, to be called after the commit and not before.
    """
    if os.path.lexists(path):
        _set_aside(path, f"{path}.taking-{unique}")
    files = _list_batches(path)
    records = [record for file in files for record in _read_records(file)]
    return SpoolBatch(tuple(files), tuple(one for one in records if not take(dict(one))))


def delete_drained(path: str, taken: SpoolBatch) -> None:
    """Delete the files of a drained batch; keep unknown records for a newer version."""
    for record in taken.unread:
        append_record(path + _UNREAD, record)
    for file in taken.files:
        try:
            os.unlink(file)
        except FileNotFoundError:
            continue  # a sibling took the same file in, which changed nothing


def remove_unread(path: str, holds: Callable[[str], bool]) -> None:
    """Delete the unread records whose text satisfies ``holds``."""
    unread, sifting = path + _UNREAD, f"{path}{_UNREAD}.sifting"
    for _ in range(2):  # once more for what someone was sifting who was killed
        if os.path.exists(unread) and not os.path.exists(sifting):
            _set_aside(unread, sifting)
        for record in _read_records(sifting):
            if not holds(write_json(record)):
                append_record(unread, record)
        delete_drained(path, SpoolBatch((sifting,), ()))


def _write_line(path: str, line: bytes) -> bool:
    import fcntl  # a library of its own, and most hooks meet no spool

    handle = os.open(path, _APPEND, 0o600)
    try:
        found = os.fstat(handle)
        if not S_ISREG(found.st_mode):
            raise OSError(EINVAL, "not a plain file", path)
        if is_foreign_file(found):  # planted, to read along or to be taken in
            os.unlink(path)
            return False
        fcntl.flock(handle, fcntl.LOCK_SH)
        if not _is_same_file(path, handle):
            return False  # set aside since we opened it: what we write now might never be read
        while line:
            line = line[os.write(handle, line) :]
    finally:
        os.close(handle)
    return True


def _is_same_file(path: str, handle: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(handle))
    except FileNotFoundError:
        return False


def _set_aside(path: str, target: str) -> None:
    import fcntl  # as above

    handle = open_plain(path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)  # no one is in the middle of a line
        if _is_same_file(path, handle):
            os.rename(path, target)
    finally:
        os.close(handle)


def _list_batches(path: str) -> list[str]:
    folder, name = os.path.split(path)
    files = sorted(file for file in os.listdir(folder) if file.startswith(f"{name}.taking-"))
    return [os.path.join(folder, file) for file in files]


def _read_records(path: str) -> list[dict[str, object]]:
    try:
        with open(path, encoding="utf-8", errors="replace", opener=open_own) as file:
            parsed = [_parse_record(line) for line in file.read().split("\n") if line]
    except FileNotFoundError:
        return []
    return [record for record in parsed if record]


def _parse_record(line: str) -> dict[str, object]:
    """Parse a record; empty for a line cut short by a full disk."""
    try:
        return dict(parse_object(line))
    except (ValueError, RecursionError):
        return {}
