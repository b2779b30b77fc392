"""Look whether the runtimes reach us: the launcher by running it, the plugin, the settings, the log."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from twiceshy.app import clock
from twiceshy.cli import connecting
from twiceshy.core.errors import ConfigError
from twiceshy.core.moment import DAY, stamp
from twiceshy.core.ports import Finding
from twiceshy.core.text import clean, one_line
from twiceshy.runtimes import launcher, receipt
from twiceshy.runtimes.claude_code import registration
from twiceshy.runtimes.plan import read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.config.resolved import Config
    from twiceshy.runtimes.claude_code.install import Place

_REPAIR = "run: twiceshy install"
_RECENT_DAYS = 7
_NEWEST = 3


def hook_findings(config: Config) -> Iterator[Finding]:
    """Look over everything that connects the runtimes with the memory home."""
    here = connecting.claude_code(config)
    if not receipt.receipts(config.home):
        yield Finding("runtimes", "ok", "none is connected yet; `twiceshy install` connects one")
    else:
        yield from _launcher(here)
        yield from _plugin(here)
        yield from _settings(here)
    yield from failures(config.home, now=clock())


def failures(home: str, *, now: int) -> Iterator[Finding]:
    """Report what hooks could not do lately, the newest first."""
    path = os.path.join(home, launcher.LOG)
    since = stamp(now - _RECENT_DAYS * DAY)
    lines = (read(path) or b"").decode("utf-8", "replace").splitlines()
    recent = [line for line in lines if line[:4].isdecimal() and line >= since]
    if not recent:
        return
    count = f"{len(recent)} failure{'s' * (len(recent) > 1)}"
    yield Finding("hooks", "warning", f"{count} in {_RECENT_DAYS} days", f"all are in {path}")
    for line in reversed(recent[-_NEWEST:]):
        yield Finding("failure", "warning", one_line(clean(line), limit=300))


def _launcher(here: Place) -> Iterator[Finding]:
    path = launcher.launcher_path(here.home)
    text = (read(path) or b"").decode("utf-8", "replace")
    target = launcher.target_of(text)
    if target is None:
        yield Finding("launcher", "broken", f"{path} is missing or not ours", _REPAIR)
    elif gone := target.missing:
        yield Finding("launcher", "broken", f"it points to {gone}, which is gone", _REPAIR)
    elif not os.access(path, os.X_OK):
        yield Finding("launcher", "broken", f"{path} may not be executed", _REPAIR)
    else:
        if text != launcher.script(here.home, here.target):
            other = f"hooks run with {target.python}, this is {here.target.python}"
            yield Finding("launcher", "warning", other, f"to use this one, {_REPAIR}")
        yield from _answer(path)


def _answer(path: str) -> Iterator[Finding]:
    from twiceshy.cli.hook_trial import trial

    if trouble := trial(path):
        yield Finding("launcher", "broken", f"a hook did not answer: {trouble}", _REPAIR)
    else:
        yield Finding("launcher", "ok", "a hook was run, and told what a note said")


def _plugin(here: Place) -> Iterator[Finding]:
    own = launcher.launcher_path(here.home)
    files = {path: file for path, (file, _) in here.files().items() if path != own}
    other = [path for path, content in files.items() if read(path) != content]
    if other:
        message = f"{len(other)} of {len(files)} files differ, {other[0]} among them"
        yield Finding("plugin", "warning", message, _REPAIR)
    else:
        yield Finding("plugin", "ok", here.market)


def _settings(here: Place) -> Iterator[Finding]:
    done = receipt.load(here.home, connecting.CLAUDE_CODE)
    paths = [file.path for file in done.shared] if done else []
    for path in dict.fromkeys([here.settings, *paths]):
        try:
            trouble = registration.trouble(registration.text_of(path, read(path)), here.market)
        except ConfigError as error:
            yield Finding("claude-code", "broken", str(error), error.hint)
            continue
        if trouble:
            yield Finding("claude-code", "warning", f"{trouble}; see {path}", _REPAIR)
        else:
            yield Finding("claude-code", "ok", f"told about the plugin in {path}")
