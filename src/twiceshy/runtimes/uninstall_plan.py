"""Plan an uninstall: files untouched since are restored byte for byte.

In a file changed since, only our lines go; lines added by the client's command are removed
by the client's command. Files needed by other runtimes stay, and so do the notes.
"""

from __future__ import annotations

import os

from twiceshy import __version__
from twiceshy.core.errors import ConfigError
from twiceshy.runtimes import receipt
from twiceshy.runtimes.edits import read_client_file, remove_edit
from twiceshy.runtimes.install_plan import files_of_other_runtimes, plan_deletions
from twiceshy.runtimes.plan import ClientCommand, FileChange, InstallPlan, read_bytes
from twiceshy.runtimes.receipt import Receipt, TouchedFile, hash_content

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from twiceshy.runtimes.edits import ClientEdit
    from twiceshy.runtimes.install_plan import InstallPlace, InstallRequest


def plan_uninstall(
    here: InstallPlace, wanted: InstallRequest, *, gone: frozenset[str] = frozenset()
) -> InstallPlan:
    """Plan the changes for an uninstall; empty if nothing is left.

    ``gone`` are runtimes uninstalled before.
    """
    done = receipt.load_receipt(here.home, wanted.runtime) or _presume_receipt(wanted)
    needed = set(files_of_other_runtimes(here.home, wanted.runtime, gone))
    own = [_renew_record(file, wanted) for file in done.own_files if file.path not in needed]
    undo = [ClientCommand(words, here.environ, here.home) for words in wanted.undo]
    back = [change for file in done.shared_files if (change := _plan_restore(file, wanted))]
    leftovers = {*done.leftovers, *wanted.leftovers}
    inside = [place for path in leftovers for place, _, _ in os.walk(path)]
    absent = [
        f"{command.words[0]} is not on the PATH; when it is: {command.to_line}"
        for command in undo
        if not command.find_program
    ]
    files = list(plan_deletions(here.home, own))
    changes = [
        *back,
        *_plan_note_removal(done, wanted, {change.path for change in back}),
        *(FileChange(path, read_bytes(path), None) for path in _list_files(leftovers)),
        *files,
    ]  # the client is told first, so that it never looks for what is gone
    return InstallPlan(
        tuple(changes),
        tuple(_plan_record_removal(here.home, done)),
        tuple({*_folders_to_remove(here, done), *inside}),
        (*_list_remarks(done, own, files), *absent),
        undo=tuple(command for command in undo if command.find_program),
    )


def _presume_receipt(wanted: InstallRequest) -> Receipt:
    """Reconstruct a lost receipt from a fresh install plan."""
    own = [TouchedFile(path, after=hash_content(file)) for path, (file, _) in wanted.files.items()]
    shared = [TouchedFile(edit.path, existed=True, shared=True) for edit in wanted.edits]
    return Receipt(wanted.runtime, __version__, (*shared, *own))


def _renew_record(file: TouchedFile, wanted: InstallRequest) -> TouchedFile:
    """Return the record of a file, with a new hash if the same release wrote the file again."""
    content, _ = wanted.files.get(file.path, (None, 0))
    return file.but(after=hash_content(content)) if content == read_bytes(file.path) else file


def _plan_restore(file: TouchedFile, wanted: InstallRequest) -> FileChange | None:
    """Restore the file, or remove our lines if changed since."""
    now = read_bytes(file.path)
    if now is None:
        return None
    old = read_bytes(file.backup) if file.backup else None
    kept = file.existed == (old is not None) and hash_content(old) == file.before
    if kept and hash_content(now) == file.after:
        return None if now == old else FileChange(file.path, now, old)
    edit = None if file.by_client else _find_edit(file.path, wanted.edits)
    if edit is None:
        return None
    left = remove_edit(edit, read_client_file(file.path, now), (old or b"").decode())
    after = left.encode() if file.existed or not edit.is_blank(left) else None
    return None if after == now else FileChange(file.path, now, after)


def _find_edit(path: str, edits: Sequence[ClientEdit]) -> ClientEdit | None:
    """Return the edit of a file, or of the same file in another client folder."""
    named = [edit for edit in edits if os.path.basename(edit.path) == os.path.basename(path)]
    exact = [edit for edit in named if edit.path == path]
    return next((edit.but(path=path) for edit in [*exact, *named]), None)


def _plan_note_removal(
    done: Receipt, wanted: InstallRequest, changed: Collection[str]
) -> Iterator[FileChange]:
    """Remove our name from files written by the client itself."""
    for path in dict.fromkeys([*done.noted, *(edit.path for edit in wanted.noted)]):
        edit, now = _find_edit(path, wanted.noted), read_bytes(path)
        if edit is None or now is None or path in changed:
            continue
        try:
            text = read_client_file(path, now)
            after = remove_edit(edit, text, text).encode()
        except ConfigError:
            continue  # damaged, and not by us
        if after != now:
            yield FileChange(path, now, after)


def _list_files(paths: Iterable[str]) -> Iterator[str]:
    """Yield the files at or below some paths, in order."""
    for path in sorted(paths):
        found = [os.path.join(place, name) for place, _, names in os.walk(path) for name in names]
        yield from [path] if os.path.isfile(path) else sorted(found)


def _plan_record_removal(home: str, done: Receipt) -> Iterator[FileChange]:
    backups = (file.backup for file in done.shared_files if file.backup)
    for path in dict.fromkeys([*backups, receipt.receipt_path(home, done.runtime)]):
        if (content := read_bytes(path)) is not None:
            yield FileChange(path, content, None)


def _folders_to_remove(here: InstallPlace, done: Receipt) -> Iterator[str]:
    yield from done.folders
    own = [file.path for file in done.own_files]
    for path in (*own, receipt.receipt_path(here.home, done.runtime)):
        while (path := os.path.dirname(path)).startswith(here.home + os.sep):
            yield path
    if not os.path.isdir(here.home):
        yield here.home  # made for its lock only


def _list_remarks(
    done: Receipt, own: Sequence[TouchedFile], files: Sequence[FileChange]
) -> Iterator[str]:
    going = {change.path for change in files}
    for file in own:
        if file.path not in going and os.path.exists(file.path):
            yield f"{file.path} was changed since it was installed; it stays"
    for file in done.shared_files:
        now = read_bytes(file.path)
        if file.after and now is not None and hash_content(now) != file.after:
            yield f"{file.path} was changed since it was installed; only our lines go"
