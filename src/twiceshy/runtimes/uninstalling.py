"""Plan an uninstall: files untouched since are restored byte for byte.

In a file changed since, only our lines go; lines added by the client's command are removed
by the client's command. Files needed by other runtimes stay, and so do the notes.
"""

from __future__ import annotations

import os

from twiceshy import __version__
from twiceshy.core.errors import ConfigError
from twiceshy.runtimes import receipt
from twiceshy.runtimes.commands import Command
from twiceshy.runtimes.edits import taken, text_of
from twiceshy.runtimes.installing import deletions, named_elsewhere
from twiceshy.runtimes.plan import Change, Plan, read
from twiceshy.runtimes.receipt import Receipt, Touched, fingerprint

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from twiceshy.runtimes.edits import Edit
    from twiceshy.runtimes.installing import Here, Wanted


def plan_uninstall(here: Here, wanted: Wanted, *, gone: frozenset[str] = frozenset()) -> Plan:
    """Plan the changes for an uninstall; empty if nothing is left.

    ``gone`` are runtimes uninstalled before.
    """
    done = receipt.load(here.home, wanted.runtime) or _presumed(wanted)
    needed = set(named_elsewhere(here.home, wanted.runtime, gone))
    own = [_known(file, wanted) for file in done.own if file.path not in needed]
    undo = [Command(words, here.environ, here.home) for words in wanted.undo]
    back = [change for file in done.shared if (change := _back(file, wanted))]
    leftovers = {*done.leftovers, *wanted.leftovers}
    files = list(deletions(here.home, own))
    changes = [
        *back,
        *_unnoted(done, wanted, {change.path for change in back}),
        *_deleted(leftovers),
        *files,
    ]  # the client is told first, so that it never looks for what is gone
    return Plan(
        tuple(changes),
        tuple(_records(here.home, done)),
        tuple({*_folders(here, done), *_within(leftovers)}),
        (*_remarks(done, own, files), *_absent(undo)),
        undo=tuple(command for command in undo if command.program),
    )


def _presumed(wanted: Wanted) -> Receipt:
    """Reconstruct a lost receipt from a fresh install plan."""
    own = [Touched(path, after=fingerprint(file)) for path, (file, _) in wanted.files.items()]
    shared = [Touched(edit.path, existed=True, shared=True) for edit in wanted.edits]
    return Receipt(wanted.runtime, __version__, (*shared, *own))


def _known(file: Touched, wanted: Wanted) -> Touched:
    """True if another runtime's install of this release renewed the file."""
    content, _ = wanted.files.get(file.path, (None, 0))
    return file.but(after=fingerprint(content)) if content == read(file.path) else file


def _back(file: Touched, wanted: Wanted) -> Change | None:
    """Restore the file, or remove our lines if changed since."""
    now = read(file.path)
    if now is None:
        return None
    old = read(file.backup) if file.backup else None
    kept = file.existed == (old is not None) and fingerprint(old) == file.before
    if kept and fingerprint(now) == file.after:
        return None if now == old else Change(file.path, now, old)
    edit = None if file.by_client else _edit_for(file.path, wanted.edits)
    if edit is None:
        return None
    left = taken(edit, text_of(file.path, now), (old or b"").decode())
    after = left.encode() if file.existed or not edit.empty(left) else None
    return None if after == now else Change(file.path, now, after)


def _edit_for(path: str, edits: Sequence[Edit]) -> Edit | None:
    """Return the edit of a file, or of the same file in another client folder."""
    named = [edit for edit in edits if os.path.basename(edit.path) == os.path.basename(path)]
    exact = [edit for edit in named if edit.path == path]
    return next((edit.but(path=path) for edit in [*exact, *named]), None)


def _unnoted(done: Receipt, wanted: Wanted, changed: Collection[str]) -> Iterator[Change]:
    """Remove our name from files written by the client itself."""
    for path in dict.fromkeys([*done.noted, *(edit.path for edit in wanted.noted)]):
        edit, now = _edit_for(path, wanted.noted), read(path)
        if edit is None or now is None or path in changed:
            continue
        try:
            text = text_of(path, now)
            after = taken(edit, text, text).encode()
        except ConfigError:
            continue  # damaged, and not by us
        if after != now:
            yield Change(path, now, after)


def _deleted(leftovers: Iterable[str]) -> Iterator[Change]:
    for path in sorted(leftovers):
        files = [path] if os.path.isfile(path) else _files_in(path)
        yield from (Change(file, read(file), None) for file in sorted(files))


def _files_in(folder: str) -> list[str]:
    return [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]


def _within(leftovers: Iterable[str]) -> Iterator[str]:
    for path in leftovers:
        yield from (place for place, _, _ in os.walk(path))


def _records(home: str, done: Receipt) -> Iterator[Change]:
    paths = [*(file.backup for file in done.shared), receipt.receipt_path(home, done.runtime)]
    for path in dict.fromkeys(filter(None, paths)):
        if (content := read(path)) is not None:
            yield Change(path, content, None)


def _folders(here: Here, done: Receipt) -> Iterator[str]:
    yield from done.folders
    for path in (*(file.path for file in done.own), receipt.receipt_path(here.home, done.runtime)):
        yield from _above(path, here.home)
    if not os.path.isdir(here.home):
        yield here.home  # made for its lock only


def _above(path: str, home: str) -> Iterator[str]:
    """Return our folders above a file."""
    while (path := os.path.dirname(path)).startswith(home + os.sep):
        yield path


def _absent(undo: Sequence[Command]) -> Iterator[str]:
    for command in undo:
        if not command.program:
            yield f"{command.words[0]} is not on the PATH; when it is: {command.line}"


def _remarks(done: Receipt, own: Sequence[Touched], files: Sequence[Change]) -> Iterator[str]:
    going = {change.path for change in files}
    for file in own:
        if file.path not in going and os.path.exists(file.path):
            yield f"{file.path} was changed since it was installed; it stays"
    for file in done.shared:
        now = read(file.path)
        if file.after and now is not None and fingerprint(now) != file.after:
            yield f"{file.path} was changed since it was installed; only our lines go"
