"""The devices of one remote, as this device knows them: what of a commit is believed, and what it signs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from twiceshy.sync.device_files import UNSIGNED, BelievedFiles, FileExaminer, digest_file
from twiceshy.sync.device_signing import DeviceSigning
from twiceshy.sync.known_devices import KnownDevices
from twiceshy.sync.repository import CommitContents
from twiceshy.sync.rules import FORMAT, VERSION, SyncError, parse_format, parse_repository
from twiceshy.sync.ssh_key import KeygenError, make_device_key, read_device_key
from twiceshy.sync.statement import find_owner, parse_statement, statement_path

if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.sync.repository import GitRepository
    from twiceshy.sync.ssh_key import DeviceKey


class RemoteDevices:
    """What one run of sync knows of the devices of its remote."""

    def __init__(self, app: App, repository: GitRepository, *, plan: bool) -> None:
        self.known = KnownDevices(app.config.home)
        self.unsigned = ""  # why this device does not sign
        self.altered = ""  # why its own files in the repository are not believed
        self._app = app
        self._repository = repository
        self._plan = plan
        self._key = self._prepare_key(app.config.home)
        self._id = ""
        self._format = "", b""  # of a commit
        self._believed = "", BelievedFiles({}, {}, (), {})  # for a commit

    @property
    def fingerprint(self) -> str:
        """Return the fingerprint of this device; empty without a key."""
        return self._key.fingerprint if self._key else ""

    def identify_repository(self, head: str, *, accept: bool = False) -> int:
        """Find for which repository devices sign; return the number of purges.

        What this device saw there first counts, unless a person accepts another history.
        """
        purges = self.count_purges(head)
        said, place = parse_repository(self._read_format(head)), self._repository.address
        if said and (accept or place not in self.known.repositories):
            self.known.repositories[place] = said
        self._id = self.known.repositories.get(place, "") or self._id or os.urandom(16).hex()
        return purges

    def count_purges(self, commit: str) -> int:
        """Return the number of purges; refuse an incompatible repository."""
        if not commit:
            return 0
        found = parse_format(self._read_format(commit))
        if found is None:
            raise SyncError(
                "the repository is used for something else",
                hint="give an empty one, or set sync.branch to a branch that does not exist",
            )
        version, purges = found
        if version > VERSION:
            raise SyncError(
                f"a newer twiceshy writes to the repository (format {version})",
                hint="upgrade twiceshy",
            )
        return purges

    def examine_commit(self, head: str) -> BelievedFiles:
        """Return the believed files of a commit, and remember which devices wait."""
        if self._believed[0] != head or not head:
            found = FileExaminer(
                self.known,
                CommitContents(self._repository, head),
                repository=self._id,
                own_key=self.fingerprint,
                own_devices=self._app.store.summarise_store().own_devices,
            ).examine_files()
            self._believed = head, found
            # files of this device that somebody else changed are written anew at once
            own = self._app.store.device
            self.known.waiting = [one for one in found.waiting if one.device != own]
            altered = (one.why for one in found.waiting if one.device == own)
            self.altered = next((why for why in altered if why != UNSIGNED), self.altered)
        return self._believed[1]

    def accept_files(self, head: str, name: str) -> None:
        """Believe the files of a device as they are in this commit, because a person said so."""
        self.examine_commit(head)
        device, contents = self.known.find_device(name), CommitContents(self._repository, head)
        paths = [path for path in contents.list_merged_files() if find_owner(path) == device]
        for path, body in contents.read_files(paths).items():
            self.known.accepted[f"{path} {digest_file(body)}"] = device
        self.known.decisions += 1
        self._believed = "", self._believed[1]

    def explain_alteration(self) -> dict[str, str]:
        """Return why the files of this device were written anew; empty if nobody changed them."""
        return {"the files of this device in the remote": self.altered} if self.altered else {}

    def has_signed(self) -> bool:
        """True if this device signed what it pushed to the remote, or cannot sign."""
        return self._key is None or self._place() in self.known.seen

    def prepare_signing(
        self, believed: BelievedFiles, name: str, *, purges: bool
    ) -> DeviceSigning:
        """Return with what this device signs a commit."""
        key = None if self._plan else self._key
        return DeviceSigning(self.known, believed, key, self._id, name, purges)

    def remember_push(self, commit: str) -> None:
        """Remember what this device said last, as it is in the commit."""
        self.known.repositories[self._repository.address] = self._id
        path = statement_path(self._app.store.device)
        if blob := self._repository.list_files(commit).get(path):
            found = parse_statement(self._repository.read_blobs([blob])[blob])
            self.known.seen[self._place()] = found.count if found else 0
            self.known.statements[self._place()] = blob

    def _place(self) -> str:
        return f"{self._id} {self._app.store.device}"

    def _prepare_key(self, home: str) -> DeviceKey | None:
        """Return the key of this device, made unless this is a plan."""
        try:
            return read_device_key(home) if self._plan else make_device_key(home)
        except KeygenError as error:
            self.unsigned = str(error)
            return None

    def _read_format(self, commit: str) -> bytes:
        """Return what describes the repository in a commit."""
        if commit and commit != self._format[0]:
            blob = self._repository.list_files(commit).get(FORMAT, "")
            self._format = commit, self._repository.read_blobs([blob])[blob] if blob else b""
        return self._format[1] if commit else b""
