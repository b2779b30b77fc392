"""Record the changes of an install, so that an uninstall can revert exactly those."""

from __future__ import annotations

import os

from twiceshy import __version__
from twiceshy.runtimes import receipt
from twiceshy.runtimes.commands import Command
from twiceshy.runtimes.edits import taken, text_of
from twiceshy.runtimes.plan import Change, folders_for, read
from twiceshy.runtimes.receipt import Receipt, Touched, fingerprint

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from twiceshy.runtimes.edits import Edit
    from twiceshy.runtimes.installing import Here, Wanted


def new_receipt(here: Here, wanted: Wanted, old: Receipt, edited: Sequence[Change]) -> Receipt:
    """Build the receipt of an install."""
    ours = zip(wanted.edits, edited, strict=True)
    shared = [
        *(_edit_touched(here.home, old, edit, change) for edit, change in ours),
        *_client_touched(here.home, wanted, old),
    ]
    again = {file.path for file in shared}
    lines = [Command(words, here.environ).line for words in wanted.commands]
    return old.but(
        version=__version__,
        files=(
            *(file for file in old.shared if file.path not in again),
            *shared,
            *(Touched(p, after=fingerprint(content)) for p, (content, _) in wanted.files.items()),
        ),
        commands=_joined(old.commands, lines),
        noted=_joined(old.noted, [edit.path for edit in wanted.noted]),
        leftovers=_joined(old.leftovers, wanted.leftovers),
    )


def _joined(first: Iterable[str], second: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*first, *second]))


def _edit_touched(home: str, old: Receipt, edit: Edit, change: Change) -> Touched:
    """Record the content of a file before our first install."""
    before, after = change.before, fingerprint(change.after)
    known = old.touched(edit.path)
    if known and fingerprint(before) == known.after:
        return known.but(after=after)
    if before == change.after:  # our lines are in it, and somebody else's since
        return known or Touched(edit.path, existed=True, after=after, shared=True)
    text = text_of(edit.path, before)
    backup = ""
    if before is not None and taken(edit, text, text) == text:
        backup = receipt.backup_path(home, old.runtime, edit.path, before)
    return Touched(
        edit.path,
        existed=before is not None,
        before=fingerprint(before),
        after=after,
        backup=backup,
        shared=True,
    )


def _client_touched(home: str, wanted: Wanted, old: Receipt) -> Iterator[Touched]:
    """Record the client's files before its own commands run."""
    for path in wanted.touches if wanted.commands else ():
        known, now = old.touched(path), read(path)
        if known and fingerprint(now) == known.after:
            yield known
        elif wanted.undo:  # it holds us, and perhaps others' lines: only the client gets us out
            yield Touched(path, existed=True, shared=True, by_client=True)
        else:
            yield Touched(
                path,
                existed=now is not None,
                before=fingerprint(now),
                backup="" if now is None else receipt.backup_path(home, old.runtime, path, now),
                shared=True,
                by_client=True,
            )


def records_of(
    here: Here, old: Receipt, new: Receipt, changes: Sequence[Change]
) -> Iterator[Change]:
    """Plan backups of changed files, and the receipt."""
    originals = {change.path: change.before for change in changes}
    backups = [
        Change(file.backup, None, originals.get(file.path) or read(file.path))
        for file in new.shared
        if file.backup and read(file.backup) is None and _to_write(file, originals)
    ]
    kept = {file.backup for file in new.files}
    gone = [
        Change(file.backup, content, None)
        for file in old.shared
        if file.backup and file.backup not in kept and (content := read(file.backup)) is not None
    ]
    path = receipt.receipt_path(here.home, new.runtime)
    note = Change(path, read(path), None)
    made = folders_for([*backups, note.but(after=b"")])
    inherited = _inherited(here.home, new.runtime) if note.before is None else ()
    folders = tuple(sorted({*old.folders, *new.folders, *made, *inherited}))
    written = receipt.written(new.but(folders=folders))
    yield from backups
    if note.before != written:
        yield note.but(after=written)
    yield from gone


def _inherited(home: str, runtime: str) -> Iterator[str]:
    """Return folders made by other installs: the last uninstall removes them."""
    for other in receipt.others(home, runtime):
        for folder in other.folders:
            if os.path.commonpath([home, folder]) == home:
                yield folder


def _to_write(file: Touched, originals: Mapping[str, bytes | None]) -> bool:
    return file.path in originals or (file.by_client and not file.after)


def sealing(home: str, runtime: str) -> Callable[[], Sequence[Change]]:
    """Return a function that records the client's files after its commands."""

    def sealed() -> Sequence[Change]:
        done = receipt.load(home, runtime)
        if done is None:
            return ()
        files = tuple(
            file.but(after=fingerprint(read(file.path))) if file.by_client else file
            for file in done.files
        )
        path = receipt.receipt_path(home, runtime)
        return (Change(path, read(path), receipt.written(done.but(files=files))),)

    return sealed
