"""Record the changes of an install, so that an uninstall can revert exactly those."""

from __future__ import annotations

import os

from twiceshy import __version__
from twiceshy.runtimes import receipt
from twiceshy.runtimes.edits import read_client_file, remove_edit
from twiceshy.runtimes.plan import ClientCommand, FileChange, folders_to_make, read_bytes
from twiceshy.runtimes.receipt import Receipt, TouchedFile, hash_content

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from twiceshy.runtimes.edits import ClientEdit
    from twiceshy.runtimes.install_plan import InstallPlace, InstallRequest


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
        backup = receipt.backup_path(home, old.runtime, edit.path, before)
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
                backup="" if now is None else receipt.backup_path(home, old.runtime, path, now),
                shared=True,
                by_client=True,
            )


def plan_records(
    here: InstallPlace, old: Receipt, new: Receipt, changes: Sequence[FileChange]
) -> Iterator[FileChange]:
    """Plan backups of changed files, and the receipt."""
    originals = {change.path: change.before for change in changes}
    backups = [
        FileChange(file.backup, None, originals.get(file.path) or read_bytes(file.path))
        for file in new.shared_files
        if file.backup and read_bytes(file.backup) is None and _receipt_change(file, originals)
    ]
    kept = {file.backup for file in new.files}
    gone = [
        FileChange(file.backup, content, None)
        for file in old.shared_files
        if file.backup
        and file.backup not in kept
        and (content := read_bytes(file.backup)) is not None
    ]
    path = receipt.receipt_path(here.home, new.runtime)
    note = FileChange(path, read_bytes(path), None)
    made = folders_to_make([*backups, note.but(after=b"")])
    inherited = _inherited_folders(here.home, new.runtime) if note.before is None else ()
    folders = tuple(sorted({*old.folders, *new.folders, *made, *inherited}))
    written = receipt.receipt_to_json(new.but(folders=folders))
    yield from backups
    if note.before != written:
        yield note.but(after=written)
    yield from gone


def _inherited_folders(home: str, runtime: str) -> Iterator[str]:
    """Return folders made by other installs: the last uninstall removes them."""
    for other in receipt.load_other_receipts(home, runtime):
        for folder in other.folders:
            if os.path.commonpath([home, folder]) == home:
                yield folder


def _receipt_change(file: TouchedFile, originals: Mapping[str, bytes | None]) -> bool:
    return file.path in originals or (file.by_client and not file.after)


def build_sealer(home: str, runtime: str) -> Callable[[], Sequence[FileChange]]:
    """Return a function that records the client's files after its commands."""

    def sealed() -> Sequence[FileChange]:
        done = receipt.load_receipt(home, runtime)
        if done is None:
            return ()
        files = tuple(
            file.but(after=hash_content(read_bytes(file.path))) if file.by_client else file
            for file in done.files
        )
        path = receipt.receipt_path(home, runtime)
        return (
            FileChange(path, read_bytes(path), receipt.receipt_to_json(done.but(files=files))),
        )

    return sealed
