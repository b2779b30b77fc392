"""Sign the files of this device for a commit: a statement about them, and its signature."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.value import Value
from twiceshy.sync.device_files import digest_file
from twiceshy.sync.ssh_key import sign_text
from twiceshy.sync.statement import (
    DeviceStatement,
    encode_statement,
    signature_path,
    statement_path,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.app import App
    from twiceshy.sync.device_files import BelievedFiles
    from twiceshy.sync.known_devices import KnownDevices
    from twiceshy.sync.repository import CommitContents
    from twiceshy.sync.ssh_key import DeviceKey


class DeviceSigning(Value):
    """With what this device signs for a repository, and whom it believes there."""

    known: KnownDevices
    believed: BelievedFiles
    key: DeviceKey | None  # none without ssh-keygen, and in a plan
    repository: str
    name: str
    purges: bool = False

    def sign_files(
        self, app: App, contents: CommitContents, files: Mapping[str, bytes]
    ) -> dict[str, bytes]:
        """Return statement and signature of these files: as they are there, if they still hold."""
        if self.key is None:
            return {}
        device = app.store.device
        paths = statement_path(device), signature_path(device)
        said = self.believed.statements.get(device)
        now = DeviceStatement(
            device,
            app.redact(self.name)[:200],
            self.key.public,
            self.repository,
            count=said.count if said else 1,
            files={path: digest_file(body) for path, body in sorted(files.items())},
        )
        if now == said:
            return dict(contents.read_files(paths))
        # the time, so that a restored memory home does not count what it has counted before
        self.known.signed = max(self.known.signed + 1, now.count + 1, app.store.now())
        text = encode_statement(now.but(count=self.known.signed))
        return {paths[0]: text, paths[1]: sign_text(self.key, text)}
