"""Second copies of the store: compressed bundles beside it, found and checked here.

A copy is written by ``sync.copies``. A rescue reads the newest good one for what it cannot read in the
damaged file.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import zlib

from twiceshy.core.errors import BundleError
from twiceshy.core.moment import parse_stamp
from twiceshy.core.value import Value
from twiceshy.store.exchange import RECORD_TYPES

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.store import Record

FOLDER = "copies"
_BEGIN, _END = "store-", ".jsonl.gz"
_SHAPE = "0000-00-00T00:00:00.000Z"


class StoreCopy(Value):
    """A copy of the store: its path, when it was made, and its size in bytes."""

    path: str
    at: int
    size: int


def list_copies(store: str) -> list[StoreCopy]:
    """Return the copies of a store, the newest first."""
    folder = locate_copies(store)
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    found = [_look_at_copy(os.path.join(folder, name)) for name in names]
    return sorted(filter(None, found), key=lambda copy: (copy.at, copy.path), reverse=True)


def locate_copies(store: str) -> str:
    """Return the folder of the copies of a store."""
    return os.path.join(os.path.dirname(store), FOLDER)


def name_copy(stamp: str) -> str:
    """Return the file name of a copy made at a time."""
    return f"{_BEGIN}{stamp.replace(':', '')}{_END}"


def read_copy(path: str) -> list[bytes]:
    """Return the lines of a copy; BundleError if it is damaged."""
    try:
        with gzip.open(path, "rb") as file:
            lines = file.readlines()
    except (OSError, EOFError, zlib.error) as error:
        raise _damaged(path, str(error)) from error
    _check_end(path, lines)
    return lines


def find_good_copy(store: str) -> tuple[StoreCopy | None, list[bytes], list[StoreCopy]]:
    """Return the newest good copy with its lines, and the damaged ones that were passed over."""
    damaged: list[StoreCopy] = []
    for copy in list_copies(store):
        try:
            return copy, read_copy(copy.path), damaged
        except BundleError:
            damaged.append(copy)
    return None, [], damaged


def parse_copy(lines: Sequence[bytes]) -> Iterator[Record]:
    """Yield the records of a copy of our own; what a newer version wrote is passed over."""
    for line in lines[1:-1]:
        ((name, body),) = json.loads(line).items()
        if cls := RECORD_TYPES.get(name):
            try:
                yield cls.of(body)
            except TypeError:
                continue


def _look_at_copy(path: str) -> StoreCopy | None:
    name = os.path.basename(path)
    stamp = name.removeprefix(_BEGIN).removesuffix(_END)
    try:
        at = parse_stamp(f"{stamp[:13]}:{stamp[13:15]}:{stamp[15:]}")
        return StoreCopy(path, at, os.stat(path).st_size) if _is_named(name, stamp) else None
    except (OSError, ValueError):
        return None


def _is_named(name: str, stamp: str) -> bool:
    return name == f"{_BEGIN}{stamp}{_END}" and len(stamp) == len(_SHAPE) - 2


def _check_end(path: str, lines: Sequence[bytes]) -> None:
    """Compare the last line of a bundle with the lines before it."""
    try:
        last = json.loads(lines[-1])
        known = last["end"], last["lines"], last["sha256"]
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise _damaged(path, "it is cut off") from error
    digest = hashlib.sha256(b"".join(lines[:-1])).hexdigest()
    if known != (True, len(lines) - 1, digest):
        raise _damaged(path, "its content was changed")


def _damaged(path: str, why: str) -> BundleError:
    return BundleError(
        f"the copy {path} is damaged: {why}",
        hint="an older copy, if there is one, is used instead",
    )
