"""An erasure that is not finished: its words wait in a file of their own until everything is clean.

The file is written before the change is committed and deleted last. So whoever is killed between leaves
it, and the next command goes on.
"""

from __future__ import annotations

import os
from contextlib import suppress

from twiceshy.core.jsontext import get_list, parse_mapping_or_empty, write_json
from twiceshy.core.value import Value
from twiceshy.files import open_plain
from twiceshy.files.replace import write_new_file
from twiceshy.language.quoted_words import QuotedWords
from twiceshy.store.store_file import make_folder

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

FOLDER = "forgetting"
_END = ".json"
_LISTS = ("objects", "checkpoints", "needles", "exact", "homes", "logs")


class PendingErasure(Value):
    """What is erased: notes and episodes, the checkpoints they came from, and their words."""

    objects: tuple[str, ...] = ()
    checkpoints: tuple[str, ...] = ()
    words: QuotedWords = QuotedWords()
    homes: tuple[str, ...] = ()  # memory homes, if the store lies elsewhere
    logs: tuple[str, ...] = ()  # of the settings, outside of the home

    def combine_with(self, other: PendingErasure) -> PendingErasure:
        """Return what either erases."""
        return PendingErasure(
            tuple(dict.fromkeys((*self.objects, *other.objects))),
            tuple(dict.fromkeys((*self.checkpoints, *other.checkpoints))),
            self.words.combine_with(other.words),
            tuple(dict.fromkeys((*self.homes, *other.homes))),
            tuple(dict.fromkeys((*self.logs, *other.logs))),
        )


def join_erasures(many: Iterable[PendingErasure]) -> PendingErasure:
    """Return what any of several erases."""
    whole = PendingErasure()
    for one in many:
        whole = whole.combine_with(one)
    return whole


def locate_pending(store: str) -> str:
    """Return the folder of unfinished erasures."""
    return os.path.join(os.path.dirname(store), FOLDER)


def is_pending(store: str) -> bool:
    """True if an erasure was not finished."""
    return os.path.isdir(locate_pending(store))


def write_pending(store: str, erasure: PendingErasure) -> str:
    """Write an unfinished erasure, owner-only and on the disk when this returns; return its path."""
    folder = locate_pending(store)
    make_folder(folder)
    body = {
        "objects": list(erasure.objects),
        "checkpoints": list(erasure.checkpoints),
        "needles": [list(needle) for needle in sorted(erasure.words.needles)],
        "exact": list(erasure.words.exact),
        "homes": list(erasure.homes),
        "logs": list(erasure.logs),
    }
    path = os.path.join(folder, os.urandom(8).hex())
    content = write_json(body).encode("utf-8", "surrogatepass")
    try:
        write_new_file(path, content, durable=True)
        os.rename(path, path + _END)
    except BaseException:
        delete_pending([path])
        raise
    return path + _END


def read_pending(store: str) -> dict[str, PendingErasure]:
    """Return unfinished erasures by path; one that was never written to its end is deleted."""
    folder = locate_pending(store)
    found: dict[str, PendingErasure] = {}
    with suppress(FileNotFoundError):
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            erasure = _read_file(path) if name.endswith(_END) else None
            if erasure is None:
                delete_pending([path])  # nothing was changed before it was whole
            else:
                found[path] = erasure
    if not found:
        _remove_folder(folder)
    return found


def delete_pending(paths: Iterable[str]) -> None:
    """Delete finished erasures, and blank them before."""
    folder = ""
    for path in paths:
        folder = os.path.dirname(path)
        with suppress(OSError):
            handle = os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                os.pwrite(handle, b" " * os.fstat(handle).st_size, 0)
                os.fsync(handle)
            finally:
                os.close(handle)
        with suppress(FileNotFoundError):
            os.unlink(path)
    if folder:
        _remove_folder(folder)


def _remove_folder(folder: str) -> None:
    with suppress(OSError):  # another erasure is going on
        os.rmdir(folder)


def _read_file(path: str) -> PendingErasure | None:
    try:
        with open(path, "rb", opener=open_plain) as file:
            body = parse_mapping_or_empty(file.read().decode("utf-8", "surrogatepass"))
    except (OSError, ValueError):
        return None
    lists = [body.get(name) for name in _LISTS]
    if not all(isinstance(each, list) for each in lists):
        return None
    objects, checkpoints, needles, exact, homes, logs = (get_list(body, name) for name in _LISTS)
    found = frozenset(tuple(map(str, each)) for each in needles if isinstance(each, list) and each)
    return PendingErasure(
        tuple(map(str, objects)),
        tuple(map(str, checkpoints)),
        QuotedWords(found, tuple(map(str, exact))),
        tuple(map(str, homes)),
        tuple(map(str, logs)),
    )
