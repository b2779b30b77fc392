"""Check connections of runtimes: launchers, files, settings, log."""

from __future__ import annotations

import os

from twiceshy.app import clock
from twiceshy.core.errors import ConfigError
from twiceshy.core.moment import DAY, stamp
from twiceshy.core.store import Finding
from twiceshy.core.text import clean, one_line
from twiceshy.runtimes import launcher, receipt
from twiceshy.runtimes.installers import connected_runtimes, install_place
from twiceshy.runtimes.installing import plan_install
from twiceshy.runtimes.plan import read

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.config.resolved import Config
    from twiceshy.runtimes.installers import Installer
    from twiceshy.runtimes.installing import Here

_REPAIR = "run: twiceshy install"
_RECENT_DAYS = 7
_NEWEST = 3


def hook_findings(config: Config, *, trial: bool = True) -> Iterator[Finding]:
    """Check every connection between runtimes and the memory home.

    Without a ``trial`` no program is started.
    """
    here = install_place(config)
    runtimes = connected_runtimes(config.home)
    if not runtimes:
        yield Finding("runtimes", "ok", "none is connected yet; `twiceshy install` connects one")
    hooked = [name for name in runtimes if _names(here, name, here.launcher)]
    if hooked:
        yield from _launcher(here, {name: runtimes[name] for name in hooked if trial})
    if trial and here.mcp and any(_names(here, name, here.server) for name in runtimes):
        yield _server(here)
    for name, runtime in runtimes.items():
        yield from _connection(here, name, runtime)
    yield from failures(config.home, now=clock())


def failures(home: str, *, now: int) -> Iterator[Finding]:
    """Report recent failures of hooks, newest first."""
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


def _names(here: Here, name: str, path: str) -> bool:
    """True if a runtime starts this program of ours."""
    try:
        done = receipt.load(here.home, name)
    except ConfigError:
        return False  # told with the runtime itself
    return done is not None and done.touched(path) is not None


def _launcher(here: Here, runtimes: dict[str, Installer]) -> Iterator[Finding]:
    path = here.launcher
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
        for name, runtime in runtimes.items():
            yield _answer(path, name, runtime)


def _answer(path: str, name: str, runtime: Installer) -> Finding:
    from twiceshy.upkeep.hook_trial import trial  # noqa: PLC0415 - an audit starts no program

    if trouble := trial(path, name, runtime.sample):
        message = f"a hook of {runtime.TITLE} did not answer: {trouble}"
        return Finding("launcher", "broken", message, _REPAIR)
    message = f"a hook of {runtime.TITLE} was run, and told what a note said"
    return Finding("launcher", "ok", message)


def _server(here: Here) -> Finding:
    from twiceshy.upkeep.server_trial import trial  # noqa: PLC0415 - as above

    if trouble := trial(here.server):
        return Finding("mcp", "broken", f"the server did not answer: {trouble}", _REPAIR)
    return Finding("mcp", "ok", "the server was started, and answered")


def _connection(here: Here, name: str, runtime: Installer) -> Iterator[Finding]:
    try:
        done = receipt.load(here.home, name)
        wanted = runtime.wanted(here)
        trouble = runtime.trouble(here)
        repair = "" if plan_install(here, wanted).empty else _REPAIR
    except ConfigError as error:
        yield Finding(name, "broken", str(error), error.hint)
        return
    stale = [file.path for file in done.own if file.path not in wanted.files] if done else []
    differ = [
        *(path for path, (content, _) in wanted.files.items() if read(path) != content),
        *(path for path in stale if os.path.exists(path)),
    ]
    other = [path for path in differ if path not in (here.launcher, here.server)]
    if other:
        more = f" and {len(other) - 1} more" if len(other) > 1 else ""
        yield Finding(name, "warning", f"not as it should be: {other[0]}{more}", _REPAIR)
    elif trouble:
        yield Finding(name, "warning", trouble, repair)
    else:
        yield Finding(name, "ok", f"{runtime.TITLE}: connected, {runtime.LEVEL}")
