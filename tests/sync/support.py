"""Devices that share a repository: in memory, where a thousand meetings take seconds, or with git on a disk."""

import itertools
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.store.support import EVERY_STATUS, app_of

from twiceshy.core.note import Note
from twiceshy.core.store import Store
from twiceshy.store.command_store import WholeStore
from twiceshy.sync.device_files import digest_file
from twiceshy.sync.journal_file import blob_id
from twiceshy.sync.known_devices import KnownDevices
from twiceshy.sync.repository import GitRepository
from twiceshy.sync.rules import parse_repository
from twiceshy.sync.ssh_key import make_device_key, sign_text
from twiceshy.sync.statement import (
    DeviceStatement,
    encode_statement,
    find_owner,
    parse_statement,
    signature_path,
    statement_path,
)
from twiceshy.sync.sync_run import SyncRequest, SyncResult, sync_store


class Shelf:
    """A remote in memory: commits by id, each with its parent and its files, and the newest one."""

    numbers = itertools.count()

    def __init__(self) -> None:
        self.name = f"shelf {next(self.numbers)}"
        self.head = ""
        self.commits: dict[str, tuple[str, dict[str, str]]] = {}
        self.blobs: dict[str, bytes] = {}


class Crash(BaseException):
    """The power goes out."""


class Copy:
    """A clone of a shelf; it obeys what ``Repository`` says, as the one with git does.

    ``fuse`` counts down before and after whatever changes something, and lets the power go out at 0.
    """

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self.address = shelf.name
        self.marks: dict[str, str] = {}
        self.reachable = True
        self.fuse = -2  # not lit

    def burn(self, *_: object) -> None:
        self.fuse = max(self.fuse - 1, -2)
        if self.fuse == -1:
            raise Crash

    def burning(self, items: Sequence[Any], _: str) -> Iterator[Any]:
        """Pass on what a store reads and merges, in the middle of its change."""
        for each in items:
            self.burn()
            yield each

    def fetch(self) -> str:
        if not self.reachable:
            raise ConnectionError("partitioned")
        self.burn()
        return self.shelf.head

    def list_files(self, commit: str) -> Mapping[str, str]:
        return self.shelf.commits[commit][1] if commit else {}

    def read_blobs(self, blobs: Sequence[str]) -> Mapping[str, bytes]:
        return {blob: self.shelf.blobs[blob] for blob in blobs}

    def commit(self, parent: str, files: Mapping[str, bytes | None], *, at: int) -> str:
        whole = dict(self.list_files(parent))
        for path, body in files.items():
            if body is None:
                del whole[path]
            else:
                whole[path] = blob_id(body)
                self.shelf.blobs[whole[path]] = body
        commit = f"c{len(self.shelf.commits)}"
        self.shelf.commits[commit] = (parent, whole)
        self.burn()
        return commit

    def push(self, commit: str, *, over: str) -> bool:
        self.burn()
        if self.shelf.head == over:
            self.shelf.head = commit
        self.burn()
        return self.shelf.head == commit

    def is_descendant(self, commit: str, ancestor: str) -> bool:
        while commit and commit != ancestor:
            commit = self.shelf.commits[commit][0]
        return bool(commit)

    def has_commit(self, commit: str) -> bool:
        return commit in self.shelf.commits

    def read_mark(self, mark: str) -> str:
        return self.marks.get(mark, "")

    def write_mark(self, mark: str, commit: str) -> None:
        self.burn()
        self.marks[mark] = commit
        self.burn()

    def recreate_clone(self) -> None:
        self.burn()
        self.marks.clear()
        self.burn()


def crashing(at: int) -> Callable[[str], None]:
    """Return what lets the power go out before the step of this number."""
    left = at

    def tell(_: str) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Crash

    return tell


def introduce(*homes: Path) -> None:
    """Let the devices of these homes believe each other, as people do with ``sync --trust``."""
    keys = {home: make_device_key(str(home)).fingerprint for home in homes}
    for home in homes:
        known = KnownDevices(str(home))
        known.introduced |= {key: "" for key in keys.values() if key != keys[home]}
        known.save()


def signed_by(home: Path, device: str, clone: Any, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return files with what the device of a home says and signs about them, and about those there."""
    key, head = make_device_key(str(home)), clone.fetch()
    there = clone.list_files(head)
    own = {path: blob for path, blob in there.items() if find_owner(path) == device}
    bodies = clone.read_blobs(list(own.values()))
    whole = {path: bodies[blob] for path, blob in own.items()} | dict(files)
    digests = {
        path: digest_file(body) for path, body in whole.items() if find_owner(path) == device
    }
    repository = parse_repository(clone.read_blobs([there["format"]])[there["format"]])
    before = there.get(statement_path(device))
    said = parse_statement(clone.read_blobs([before])[before]) if before else None
    count = said.count + 1 if said else 1
    statement = DeviceStatement(device, device, key.public, repository, count, digests)
    text = encode_statement(statement)
    signature = sign_text(key, text)
    return {**files, statement_path(device): text, signature_path(device): signature}


_met: dict[str, dict[Path, None]] = {}  # the homes that met at a remote


def meet(
    store: WholeStore, repository: Any, *, follow: bool = True, strange: bool = False, **way: Any
) -> SyncResult:
    """Sync a store, or do the part of it that is asked for.

    Devices that meet at a remote are introduced, unless they are ``strange``, and by default no change
    of another one asks.
    """
    home, homes = Path(store.path).parent, _met.setdefault(repository.address, {})
    if not strange and home not in homes:
        homes[home] = None
        introduce(*homes)
    return sync_store(app_of(store, sync__follow=follow), repository, SyncRequest(**way))


def all_notes(store: Store) -> list[Note]:
    """Return every note of a store, whatever became of it."""
    return sorted(store.notes(EVERY_STATUS, limit=-1), key=lambda note: note.id)


def bare(folder: Path) -> str:
    """Make an empty repository that can be pushed to, and return its address."""
    subprocess.run(["git", "init", "--bare", "--quiet", "-b", "main", str(folder)], check=True)
    return str(folder)


def cloned(home: Path, remote: str) -> GitRepository:
    """Return a device's clone, as the command line has it."""
    return GitRepository(str(home / "sync" / "repository"), remote)


def in_remote(remote: str, *words: str) -> bytes:
    """Ask git about the remote itself."""
    return subprocess.run(
        ["git", "--git-dir", remote, *words], check=True, capture_output=True
    ).stdout
