"""Receipt of an install: changed files, so that an uninstall can revert exactly those.

The receipt lies in the memory home with its backups, readable by its owner only.
"""

from __future__ import annotations

import hashlib
import json
import os

from twiceshy.core.errors import ConfigError
from twiceshy.core.value import Value
from twiceshy.runtimes.plan import read_bytes

FOLDER = "receipts"
_FORMAT = 1
_LISTS = ("folders", "commands", "noted", "leftovers")


class TouchedFile(Value):
    """A written file: hashes before and after, and its backup."""

    path: str
    existed: bool = False
    before: str = ""
    after: str = ""
    backup: str = ""
    shared: bool = False  # it belongs to the runtime, and others write to it too
    by_client: bool = False  # the client's own command wrote to it, not we


class Receipt(Value):
    """Every change of an install for a runtime."""

    runtime: str
    version: str
    files: tuple[TouchedFile, ...] = ()
    folders: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()  # of the client, as they were run
    noted: tuple[str, ...] = ()  # files in which the client writes about us by itself
    leftovers: tuple[str, ...] = ()  # what it makes for us alone

    @property
    def own_files(self) -> tuple[TouchedFile, ...]:
        """Return files owned by us alone."""
        return tuple(file for file in self.files if not file.shared)

    @property
    def shared_files(self) -> tuple[TouchedFile, ...]:
        """Return the runtime's files with our lines."""
        return tuple(file for file in self.files if file.shared)

    def find_touched(self, path: str) -> TouchedFile | None:
        """Return the record of a file."""
        return next((file for file in self.files if file.path == path), None)


def receipt_path(home: str, runtime: str) -> str:
    """Return the receipt path of a runtime."""
    return os.path.join(home, FOLDER, f"{runtime}.json")


def backup_path(home: str, runtime: str, path: str, content: bytes) -> str:
    """Return the backup path of a file, named by content."""
    name = f"{os.path.basename(path)}.{hash_content(content)[:12]}"
    return os.path.join(home, FOLDER, runtime, name)


def hash_content(content: bytes | None) -> str:
    """Return the content hash of a file; empty for no file."""
    return "" if content is None else hashlib.sha256(content).hexdigest()


def list_receipts(home: str) -> list[str]:
    """Return the runtimes with a receipt."""
    try:
        names = os.listdir(os.path.join(home, FOLDER))
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted(name.removesuffix(".json") for name in names if name.endswith(".json"))


def load_receipt(home: str, runtime: str) -> Receipt | None:
    """Load the receipt of a runtime; None if missing."""
    path = receipt_path(home, runtime)
    content = read_bytes(path)
    if content is None:
        return None
    try:
        return _parse_receipt(json.loads(content))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ConfigError(
            f"the receipt {path} is damaged", hint="move it away and call the command again"
        ) from error


def load_other_receipts(home: str, runtime: str) -> list[Receipt]:
    """Load the receipts of every other runtime."""
    found = [load_receipt(home, name) for name in list_receipts(home) if name != runtime]
    return [one for one in found if one]


def receipt_to_json(receipt: Receipt) -> bytes:
    """Return a receipt as canonical JSON."""
    fields = receipt.fields() | {"files": [file.fields() for file in receipt.files]}
    return (json.dumps({"format": _FORMAT} | fields, indent=2) + "\n").encode()


def _parse_receipt(found: dict[str, object]) -> Receipt:
    if found.pop("format") != _FORMAT:
        raise ValueError("written by a newer twiceshy")
    files = tuple(map(TouchedFile.of, _parse_touched(found, "files")))
    texts = {
        name: tuple(map(str, _parse_touched(found, name))) for name in _LISTS if name in found
    }
    return Receipt.of(found | texts | {"files": files})


def _parse_touched(found: dict[str, object], name: str) -> list[dict[str, object]]:
    listed = found[name]
    if not isinstance(listed, list):
        raise TypeError(f"{name} is not a list")
    return listed
