"""Plan what takes us out of Claude Code again: what nobody touched since is restored byte for byte.

In a file that others wrote to meanwhile only our lines go. The notes stay.
"""

from __future__ import annotations

import os

from twiceshy import __version__
from twiceshy.core.errors import ConfigError
from twiceshy.runtimes import receipt
from twiceshy.runtimes.claude_code import registration
from twiceshy.runtimes.claude_code.hook_table import RUNTIME
from twiceshy.runtimes.claude_code.install import deletions
from twiceshy.runtimes.plan import Change, Plan, read
from twiceshy.runtimes.receipt import Receipt, Touched, fingerprint
from twiceshy.runtimes.settings_file import document, without_member

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.runtimes.claude_code.install import Place


def plan_uninstall(here: Place) -> Plan:
    """Plan what has to change so that nothing of us is left in the client; empty if nothing is."""
    done = receipt.load(here.home, RUNTIME) or _presumed(here)
    files = list(deletions(done.own))
    changes = [
        *(change for file in done.shared if (change := _back(file))),
        *(change for file in done.shared for change in _unnoted(os.path.dirname(file.path))),
        *files,
    ]  # the client is told first, so that it never looks for what is gone
    return Plan(
        tuple(changes),
        tuple(_records(here.home, done)),
        tuple(_folders(here, done)),
        tuple(_remarks(done, {change.path for change in files})),
    )


def _presumed(here: Place) -> Receipt:
    """Stand in for a receipt that is lost: what an install would have done."""
    own = [Touched(path, after=fingerprint(file)) for path, (file, _) in here.files().items()]
    folders = {folder for file in own for folder in _above(file.path, here.home)}
    shared = Touched(here.settings, existed=True, shared=True)
    return Receipt(RUNTIME, __version__, (shared, *own), tuple(sorted(folders)))


def _above(path: str, home: str) -> Iterator[str]:
    while (path := os.path.dirname(path)) != home:
        yield path


def _back(file: Touched) -> Change | None:
    """Put the file back as it was, or take our lines out if that is no longer possible."""
    now = read(file.path)
    if now is None:
        return None
    old = read(file.backup) if file.backup else None
    kept = file.existed == (old is not None) and fingerprint(old) == file.before
    if kept and fingerprint(now) == file.after:
        return Change(file.path, now, old)
    text = registration.text_of(file.path, now)
    left = registration.unregistered(text, before=(old or b"").decode())
    after = left.encode() if file.existed or document(left) else None
    return None if after == now else Change(file.path, now, after)


def _unnoted(config_dir: str) -> Iterator[Change]:
    """Take our name out of what the client wrote down by itself."""
    for name, member in registration.NOTED.items():
        path = os.path.join(config_dir, name)
        now = read(path)
        try:
            after = without_member(registration.text_of(path, now), member).encode()
        except ConfigError:
            continue  # damaged, and not by us
        if now is not None and after != now:
            yield Change(path, now, after)


def _records(home: str, done: Receipt) -> Iterator[Change]:
    paths = [*(file.backup for file in done.shared), receipt.receipt_path(home, RUNTIME)]
    for path in filter(None, paths):
        if (content := read(path)) is not None:
            yield Change(path, content, None)


def _folders(here: Place, done: Receipt) -> Iterator[str]:
    yield from done.folders
    for file in done.shared:
        yield os.path.join(os.path.dirname(file.path), registration.DATA)
    if not os.path.isdir(here.home):
        yield here.home  # made for its lock only


def _remarks(done: Receipt, going: set[str]) -> Iterator[str]:
    for file in done.own:
        if file.path not in going and os.path.exists(file.path):
            yield f"{file.path} was changed since it was installed; it stays"
    for file in done.shared:
        now = read(file.path)
        if file.after and now is not None and fingerprint(now) != file.after:
            yield f"{file.path} was changed since it was installed; only our lines go"
