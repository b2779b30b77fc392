"""Plan what puts the plugin into the memory home and tells Claude Code about it; nothing is written here."""

from __future__ import annotations

import os

from twiceshy import __version__
from twiceshy.core.errors import ConfigError
from twiceshy.core.value import Value
from twiceshy.runtimes import launcher, receipt
from twiceshy.runtimes.claude_code import plugin, registration
from twiceshy.runtimes.claude_code.hook_table import RUNTIME
from twiceshy.runtimes.plan import Change, Plan, folders_for, read
from twiceshy.runtimes.receipt import Receipt, Touched, fingerprint

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.runtimes.launcher import Target


class Place(Value):
    """Where everything lies: the memory home, the client's folder, our package, what hooks start."""

    home: str
    config_dir: str
    package: str
    target: Target

    @property
    def market(self) -> str:
        """Return the folder that the client is pointed at."""
        return os.path.join(self.home, RUNTIME)

    @property
    def settings(self) -> str:
        """Return the client's settings file."""
        return os.path.join(self.config_dir, "settings.json")

    def files(self) -> dict[str, tuple[bytes, int]]:
        """Return the content and mode of every file that is ours alone, by path."""
        path = launcher.launcher_path(self.home)
        own = {path: (launcher.script(self.home, self.target).encode(), launcher.MODE)}
        for name, content in plugin.rendered(self.package, path).items():
            own[os.path.join(self.market, name)] = (content, 0o600)
        return own


def place(home: str, config_dir: str, package: str) -> Place:
    """Return where an install by this very interpreter puts everything."""
    try:
        f"{home}{config_dir}{package}".encode()
    except UnicodeEncodeError as error:
        raise ConfigError(
            f"{home!r} cannot be written into a settings file",
            hint="let TWICESHY_HOME name a folder whose name is valid UTF-8",
        ) from error
    return Place(home, config_dir, package, launcher.own_target(package))


def plan_install(here: Place) -> Plan:
    """Plan what has to change so that the client runs our hooks; empty if all is in place."""
    old = receipt.load(here.home, RUNTIME) or Receipt(RUNTIME, __version__)
    files = here.files()
    before = read(here.settings)
    text = registration.registered(
        here.settings, registration.text_of(here.settings, before), here.market
    )
    changes = [
        *_renewed(files),
        *deletions([file for file in old.own if file.path not in files]),
        *([] if before == text.encode() else [Change(here.settings, before, text.encode())]),
    ]  # the client is told last, when all is there
    new = Receipt(
        RUNTIME,
        __version__,
        (
            *(file for file in old.shared if file.path != here.settings),
            _settings_touched(here, old, before, text.encode()),
            *(Touched(path, after=fingerprint(content)) for path, (content, _) in files.items()),
        ),
    )
    records = _records(here.home, old, new, changes)
    return Plan(tuple(changes), tuple(records), remarks=tuple(_remarks(here)))


def deletions(files: Sequence[Touched]) -> Iterator[Change]:
    """Delete what is still as we left it."""
    for file in files:
        content = read(file.path)
        if content is not None and fingerprint(content) == file.after:
            yield Change(file.path, content, None)


def _remarks(here: Place) -> Iterator[str]:
    if here.target.fleeting:
        yield f"{here.target.python} is in a cache and may vanish: uv tool install twiceshy, first"


def _renewed(files: dict[str, tuple[bytes, int]]) -> Iterator[Change]:
    for path, (content, mode) in files.items():
        before = read(path)
        if before != content or os.stat(path).st_mode & 0o777 != mode:
            yield Change(path, before, content, mode)


def _settings_touched(here: Place, old: Receipt, before: bytes | None, after: bytes) -> Touched:
    """Say what an uninstall has to bring back: what was there before the first of our installs."""
    known = old.touched(here.settings)
    if known and fingerprint(before) == known.after:
        return known.but(after=fingerprint(after))
    if before == after:  # our lines are in it, and somebody else's since
        return known or Touched(here.settings, existed=True, after=fingerprint(after), shared=True)
    text = registration.text_of(here.settings, before)
    backup = ""
    if before is not None and registration.unregistered(text, before=text) == text:
        backup = receipt.backup_path(here.home, RUNTIME, here.settings, before)
    return Touched(
        here.settings,
        existed=before is not None,
        before=fingerprint(before),
        after=fingerprint(after),
        backup=backup,
        shared=True,
    )


def _records(home: str, old: Receipt, new: Receipt, changes: Sequence[Change]) -> Iterator[Change]:
    """Keep a backup of what is changed, and write down what was done."""
    originals = {change.path: change.before for change in changes}
    backups = [
        Change(file.backup, None, originals[file.path])
        for file in new.shared
        if file.backup and read(file.backup) is None and file.path in originals
    ]
    kept = {file.backup for file in new.files}
    gone = [
        Change(file.backup, content, None)
        for file in old.shared
        if file.backup and file.backup not in kept and (content := read(file.backup)) is not None
    ]
    path = receipt.receipt_path(home, RUNTIME)
    note = Change(path, read(path), None)
    made = folders_for([*changes, *backups, note.but(after=b"")])
    written = receipt.written(new.but(folders=tuple(sorted({*old.folders, *made}))))
    yield from backups
    if note.before != written:
        yield note.but(after=written)
    yield from gone
