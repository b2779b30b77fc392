"""Which files of a commit are believed: those that an introduced device signed, as it signed them.

All that others say arrives through this place. What is not believed stays in the repository, which
is its waiting room: once its device is introduced, the next sync takes it in.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from twiceshy.core.value import Value
from twiceshy.sync.known_devices import WaitingDevice
from twiceshy.sync.ssh_key import KeygenError, is_signed
from twiceshy.sync.statement import (
    DeviceStatement,
    group_files,
    parse_statement,
    signature_path,
    statement_path,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from twiceshy.sync.known_devices import KnownDevices
    from twiceshy.sync.repository import CommitContents

# why files are not believed
NEW = "not introduced here"
UNSIGNED = "unsigned"
FORGED = "its signature does not fit"
ELSEWHERE = "signed for another device or repository"
REVOKED = "revoked here"
OTHER_KEY = "signed with another key than before"
OLDER = "older than what was seen of it before"
CHANGED = "changed by somebody else after it was signed"
UNCHECKED = "not checked, because ssh-keygen is missing"
NOBODYS = "written by no device"


class BelievedFiles(Value):
    """The believed files of a commit, and the devices that wait with the rest."""

    paths: Mapping[str, str]  # path → device
    signers: Mapping[str, str]  # device → fingerprint; empty if a person accepted its files
    waiting: tuple[WaitingDevice, ...]
    statements: Mapping[str, DeviceStatement]  # the valid ones, of believed devices

    def is_believed(self, device: str) -> bool:
        """True if files of a device are believed."""
        return device in self.signers


class FileExaminer:
    """Examines the files of a commit, for one device."""

    def __init__(
        self,
        known: KnownDevices,
        contents: CommitContents,
        *,
        repository: str,
        own_key: str,
        own_devices: Collection[str],
    ) -> None:
        self._known = known
        self._contents = contents
        self._repository = repository
        self._own_key = own_key
        self._own = own_devices
        self._paths: dict[str, str] = {}
        self._signers: dict[str, str] = {}
        self._waiting: list[WaitingDevice] = []
        self._statements: dict[str, DeviceStatement] = {}

    def examine_files(self) -> BelievedFiles:
        """Return what is believed; what was seen of each device is remembered."""
        owned = group_files(merged := self._contents.list_merged_files())
        statements = (
            path for each in owned for path in (statement_path(each), signature_path(each))
        )
        known = self._contents.blobs.keys()
        self._contents.read_files([*merged, *(path for path in statements if path in known)])
        for device, paths in sorted(owned.items()):
            self._examine_device(device, paths)
        return BelievedFiles(self._paths, self._signers, tuple(self._waiting), self._statements)

    def _examine_device(self, device: str, paths: Sequence[str]) -> None:
        statement = self._read_statement(device)
        why = self._find_doubt(device, statement) if device else NOBODYS
        digests = {path: self._digest_file(path) for path in paths}
        signed = statement.files if statement and not why else {}
        believed = {path for path in paths if signed.get(path) == digests[path]}
        left = [
            path
            for path in paths
            if path not in believed
            and self._known.accepted.get(f"{path} {digests[path]}") != device
        ]
        taken = [path for path in paths if path not in left]
        if statement and not why:
            self._remember_statement(device, statement)
            if believed:
                self._signers[device] = statement.fingerprint
        if taken:
            self._signers.setdefault(device, "")
        self._paths |= dict.fromkeys(taken, device)
        if left or (not why and signed.keys() - set(paths)):
            self._add_waiting(device, statement, why or CHANGED, left)

    def _find_doubt(self, device: str, statement: DeviceStatement | None) -> str:
        """Return why a statement is not believed; empty if it is."""
        if statement is None:
            return UNSIGNED
        if (statement.device, statement.repository) != (device, self._repository):
            return ELSEWHERE
        try:
            if not self._is_signed(device, statement):
                return FORGED
        except KeygenError:
            return UNCHECKED
        return self._find_stranger(device, statement.fingerprint) or self._find_replay(
            device, statement
        )

    def _find_stranger(self, device: str, fingerprint: str) -> str:
        """Return why the owner of a key does not speak for a device; empty if he does."""
        if fingerprint == self._own_key:
            return ""
        if fingerprint in self._known.revoked:
            return REVOKED
        bound = self._known.bound.get(device, fingerprint)
        if device in self._own or bound != fingerprint:
            return OTHER_KEY
        return "" if fingerprint in self._known.introduced else NEW

    def _find_replay(self, device: str, statement: DeviceStatement) -> str:
        """Return why a statement is not the newest of its device; empty if it is."""
        place = f"{self._repository} {device}"
        seen = self._known.seen.get(place, 0)
        same = self._known.statements.get(place, "") == self._blob(statement_path(device))
        return OLDER if statement.count < seen or (statement.count == seen and not same) else ""

    def _is_signed(self, device: str, statement: DeviceStatement) -> bool:
        """True if a signature fits; each is checked once."""
        blobs = self._blob(statement_path(device)), self._blob(signature_path(device))
        checked = f"{statement.fingerprint} {' '.join(blobs)}"
        if self._known.verified.get(device) == checked:
            return True
        paths = statement_path(device), signature_path(device)
        if paths[1] not in self._contents.blobs:
            return False
        text, signature = self._contents.read_files(paths).values()
        if not is_signed(statement.key, text, signature, home=self._known.home):
            return False
        self._known.verified[device] = checked
        return True

    def _remember_statement(self, device: str, statement: DeviceStatement) -> None:
        place = f"{self._repository} {device}"
        self._known.bound.setdefault(device, statement.fingerprint)
        self._known.seen[place] = statement.count
        self._known.statements[place] = self._blob(statement_path(device))
        if statement.fingerprint in self._known.introduced:
            self._known.introduced[statement.fingerprint] = statement.name
        self._statements[device] = statement

    def _add_waiting(
        self, device: str, statement: DeviceStatement | None, why: str, left: Sequence[str]
    ) -> None:
        says = why in (NEW, REVOKED, OTHER_KEY, OLDER, CHANGED)  # the signature fits
        name, fingerprint = (
            (statement.name, statement.fingerprint) if statement and says else ("", "")
        )
        lines = sum(body.count(b"\n") for body in self._contents.read_files(left).values())
        self._waiting.append(WaitingDevice(device, name, fingerprint, why, lines))

    def _read_statement(self, device: str) -> DeviceStatement | None:
        path = statement_path(device)
        if path not in self._contents.blobs:
            return None
        return parse_statement(self._contents.read_files([path])[path])

    def _digest_file(self, path: str) -> str:
        return digest_file(self._contents.read_files([path])[path])

    def _blob(self, path: str) -> str:
        return self._contents.blobs.get(path, "")


def digest_file(body: bytes) -> str:
    """Return what a statement says of a file."""
    return hashlib.sha256(body).hexdigest()
