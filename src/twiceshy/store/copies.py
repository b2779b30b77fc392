"""Second copies of the store: compressed bundles beside it, found and checked here.

A copy is written by ``sync.copies``. A rescue reads the newest good one for what it cannot read in the
damaged file.
"""

from __future__ import annotations

import os

from twiceshy.core.errors import BundleError
from twiceshy.core.moment import DAY, format_stamp, parse_stamp
from twiceshy.core.value import Value
from twiceshy.files.replace import DRAFT

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.config.resolved import Config
    from twiceshy.core.store import Record
    from twiceshy.safety.signing import Signature

_FOLDER = "copies"
SIGNATURE = "signature"  # a kind of line that only copies have
_SIGNED = b'{"signature":'
_END = ".jsonl.gz"


class StoreCopy(Value):
    """A copy of the store: its path, when it was made, and its size in bytes."""

    path: str
    at: int
    size: int


def list_copies(store: str) -> list[StoreCopy]:
    """Return the copies of a store, the newest first."""
    found = [_look_at_copy(store, name) for name in _list_names(store)]
    return sorted(filter(None, found), key=lambda copy: (copy.at, copy.path), reverse=True)


def list_copy_files(store: str) -> list[str]:
    """Return the paths of copies, and of drafts that killed processes left; nothing of others."""
    folder = locate_copies(store)
    drafts = [os.path.join(folder, name) for name in _list_names(store) if name.startswith(DRAFT)]
    return [*(copy.path for copy in list_copies(store)), *drafts]


def is_copy_due(config: Config, *, now: int) -> bool:
    """True if the newest copy is older than the settings say; a copy from the future is none."""
    days = config.integer("copies.every_days")
    if not days:
        return False
    known = [copy.at for copy in list_copies(config.store) if copy.at <= now]
    return not known or now - known[0] >= days * DAY


def locate_copies(store: str) -> str:
    """Return the folder of the copies of a store."""
    return os.path.join(os.path.dirname(store), _FOLDER)


def name_copy(store: str, at: int) -> str:
    """Return the file name of a copy made at a time; another store beside it has other names."""
    return f"{os.path.basename(store)}-{format_stamp(at).replace(':', '')}{_END}"


def read_copy(path: str) -> list[bytes]:
    """Return the lines of a copy; BundleError if it is damaged."""
    import gzip
    import zlib

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
    import json

    from twiceshy.store.record_types import RECORD_TYPES

    for line in lines[1:-1]:
        ((name, body),) = json.loads(line).items()
        if cls := RECORD_TYPES.get(name):
            try:
                yield cls.of(body)
            except TypeError:
                continue


def parse_signatures(lines: Sequence[bytes]) -> list[Signature]:
    """Return the approvals of rules in a copy; each holds for the words that its seal fits."""
    import json

    from twiceshy.safety.signing import Signature

    found = (json.loads(line)[SIGNATURE] for line in lines if line.startswith(_SIGNED))
    return [Signature.of(fields) for fields in found]


def _list_names(store: str) -> list[str]:
    try:
        return os.listdir(locate_copies(store))
    except OSError:
        return []


def _look_at_copy(store: str, name: str) -> StoreCopy | None:
    """Return the copy of a name; None for a file of another name or another store."""
    begin, _, stamp = name.removesuffix(_END).partition(f"{os.path.basename(store)}-")
    path = os.path.join(locate_copies(store), name)
    try:
        at = parse_stamp(f"{stamp[:13]}:{stamp[13:15]}:{stamp[15:]}")
        known = not begin and name == name_copy(store, at)
        return StoreCopy(path, at, os.stat(path).st_size) if known else None
    except (OSError, ValueError):
        return None


def _check_end(path: str, lines: Sequence[bytes]) -> None:
    """Compare the last line of a bundle with the lines before it."""
    import hashlib
    import json

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
