"""Receipt of an install: changed files, so that an uninstall can revert exactly those.

The receipt lies in the memory home with its backups, readable by its owner only.
"""

from __future__ import annotations

import json
import os

from twiceshy import __version__
from twiceshy.core.digest import hash_sha256
from twiceshy.core.errors import ConfigError
from twiceshy.core.value import Value
from twiceshy.runtimes.edits import read_client_file, remove_edit
from twiceshy.runtimes.plan import ClientCommand, FileChange, folders_to_make, read_bytes

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from twiceshy.runtimes.edits import ClientEdit
    from twiceshy.runtimes.install_plan import InstallPlace, InstallRequest

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
    return "" if content is None else hash_sha256(content)


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


def build_receipt(
    here: InstallPlace, wanted: InstallRequest, old: Receipt, edited: Sequence[FileChange]
) -> Receipt:
    """Build the receipt of an install."""
    ours = zip(wanted.edits, edited, strict=True)
    shared = [
        *(_touch_edited(here.home, old, edit, change) for edit, change in ours),
        *_touch_client_files(here.home, wanted, old),
    ]
    again = {file.path for file in shared}
    lines = [ClientCommand(words, here.environ).to_line for words in wanted.commands]
    return old.but(
        version=__version__,
        files=(
            *(file for file in old.shared_files if file.path not in again),
            *shared,
            *(
                TouchedFile(p, after=hash_content(content))
                for p, (content, _) in wanted.files.items()
            ),
        ),
        commands=_merge_touched(old.commands, lines),
        noted=_merge_touched(old.noted, [edit.path for edit in wanted.noted]),
        leftovers=_merge_touched(old.leftovers, wanted.leftovers),
    )


def _merge_touched(first: Iterable[str], second: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*first, *second]))


def _touch_edited(home: str, old: Receipt, edit: ClientEdit, change: FileChange) -> TouchedFile:
    """Record the content of a file before our first install."""
    before, after = change.before, hash_content(change.after)
    known = old.find_touched(edit.path)
    if known and hash_content(before) == known.after:
        return known.but(after=after)
    if before == change.after:  # our lines are in it, and somebody else's since
        return known or TouchedFile(edit.path, existed=True, after=after, shared=True)
    text = read_client_file(edit.path, before)
    backup = ""
    if before is not None and remove_edit(edit, text, text) == text:
        backup = backup_path(home, old.runtime, edit.path, before)
    return TouchedFile(
        edit.path,
        existed=before is not None,
        before=hash_content(before),
        after=after,
        backup=backup,
        shared=True,
    )


def _touch_client_files(home: str, wanted: InstallRequest, old: Receipt) -> Iterator[TouchedFile]:
    """Record the client's files before its own commands run."""
    for path in wanted.touches if wanted.commands else ():
        known, now = old.find_touched(path), read_bytes(path)
        if known and hash_content(now) == known.after:
            yield known
        elif wanted.undo:  # it holds us, and perhaps others' lines: only the client gets us out
            yield TouchedFile(path, existed=True, shared=True, by_client=True)
        else:
            yield TouchedFile(
                path,
                existed=now is not None,
                before=hash_content(now),
                backup="" if now is None else backup_path(home, old.runtime, path, now),
                shared=True,
                by_client=True,
            )


def plan_records(
    here: InstallPlace, old: Receipt, new: Receipt, changes: Sequence[FileChange]
) -> Iterator[FileChange]:
    """Plan backups of changed files, and the"""
    originals = {change.path: change.before for change in changes}
    backups = [
        FileChange(file.backup, None, originals.get(file.path) or read_bytes(file.path))
        for file in new.shared_files
        if file.backup
        and read_bytes(file.backup) is None
        and (file.path in originals or (file.by_client and not file.after))
    ]
    kept = {file.backup for file in new.files}
    gone = [
        FileChange(file.backup, content, None)
        for file in old.shared_files
        if file.backup
        and file.backup not in kept
        and (content := read_bytes(file.backup)) is not None
    ]
    path = receipt_path(here.home, new.runtime)
    note = FileChange(path, read_bytes(path), None)
    made = folders_to_make([*backups, note.but(after=b"")])
    inherited = _inherited_folders(here.home, new.runtime) if note.before is None else ()
    folders = tuple(sorted({*old.folders, *new.folders, *made, *inherited}))
    written = receipt_to_json(new.but(folders=folders))
    yield from backups
    if note.before != written:
        yield note.but(after=written)
    yield from gone


def _inherited_folders(home: str, runtime: str) -> Iterator[str]:
    """Return folders made by other installs: the last uninstall removes them."""
    for other in load_other_receipts(home, runtime):
        for folder in other.folders:
            if os.path.commonpath([home, folder]) == home:
                yield folder


def build_sealer(home: str, runtime: str) -> Callable[[], Sequence[FileChange]]:
    """Return a function that records the client's files after its commands."""

    def sealed() -> Sequence[FileChange]:
        done = load_receipt(home, runtime)
        if done is None:
            return ()
        files = tuple(
            file.but(after=hash_content(read_bytes(file.path))) if file.by_client else file
            for file in done.files
        )
        path = receipt_path(home, runtime)
        return (FileChange(path, read_bytes(path), receipt_to_json(done.but(files=files))),)

    return sealed
