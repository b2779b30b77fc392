"""What a device signs: its id, its key, the repository, a count, and a digest of each of its files.

A signature fits no other device, no other repository and no other content. The count only rises, so
an older statement is noticed.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from twiceshy.core.value import Value
from twiceshy.sync.records import encode_line
from twiceshy.sync.rules import device_path, journal_part
from twiceshy.sync.ssh_key import fingerprint_key, is_public_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SIGNED = "signed/"
_FORM = "twiceshy-device"
_DEVICE = re.compile(r"[0-9A-Za-z][0-9A-Za-z_+-]{0,63}")
_REPOSITORY = re.compile(r"[0-9a-f]{32}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_LONGEST = 1_000_000  # bytes; a file of 4 MB takes a hundred of them
_LONGEST_NAME = 200
_MOST = 2**62


class DeviceStatement(Value):
    """What a device says about its files in a repository."""

    device: str
    name: str  # what people call the machine
    key: str
    repository: str
    count: int
    files: Mapping[str, str]  # path → SHA-256

    @property
    def fingerprint(self) -> str:
        """Return the fingerprint of the key that must have signed this."""
        return fingerprint_key(self.key)


def statement_path(device: str) -> str:
    """Return the path of the statement of a device."""
    return f"{SIGNED}{device}.json"


def signature_path(device: str) -> str:
    """Return the path of the signature of a statement."""
    return f"{SIGNED}{device}.sig"


def encode_statement(statement: DeviceStatement) -> bytes:
    """Return the bytes that are signed."""
    return encode_line({_FORM: {**statement.fields(), "files": dict(statement.files)}})


def parse_statement(body: bytes) -> DeviceStatement | None:
    """Return a statement; None unless these are exactly the bytes of one."""
    if len(body) > _LONGEST:
        return None
    try:
        parsed = json.loads(body)
        found = DeviceStatement.of(parsed[_FORM])
        fits = _is_sound(found) and encode_statement(found) == body
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        return None
    return found if fits else None


def group_files(paths: Iterable[str]) -> dict[str, list[str]]:
    """Return the merged files of each device; files that no device would write are under ``""``."""
    found: dict[str, list[str]] = {}
    for path in paths:
        found.setdefault(find_owner(path), []).append(path)
    return found


def find_owner(path: str) -> str:
    """Return the device to which a merged file belongs; empty if to none."""
    name = path.partition("/")[2].removesuffix(".jsonl")
    if path == device_path(name) and _DEVICE.fullmatch(name):
        return name
    device = name.rpartition("-")[0]
    return device if journal_part(path, device) and _DEVICE.fullmatch(device) else ""


def _is_sound(found: DeviceStatement) -> bool:
    texts = (found.device, found.name, found.key, found.repository)
    return (
        all(isinstance(text, str) for text in texts)
        and bool(_DEVICE.fullmatch(found.device) and _REPOSITORY.fullmatch(found.repository))
        and is_public_key(found.key)
        and len(found.name) <= _LONGEST_NAME
        and type(found.count) is int
        and 0 < found.count < _MOST
        and all(
            _DIGEST.fullmatch(digest) and find_owner(path) == found.device
            for path, digest in found.files.items()
        )
    )
