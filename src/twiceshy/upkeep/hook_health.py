"""Check connections of runtimes: launchers, files, settings, log."""

from __future__ import annotations

import os

from twiceshy.app import read_clock
from twiceshy.core.errors import ConfigError
from twiceshy.core.moment import DAY, format_stamp
from twiceshy.core.store import HealthFinding
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.runtimes import launcher, receipt
from twiceshy.runtimes.install_plan import plan_install
from twiceshy.runtimes.installers import find_install_place, list_connected_runtimes
from twiceshy.runtimes.plan import read_bytes

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.config.resolved import Config
    from twiceshy.runtimes.install_plan import InstallPlace
    from twiceshy.runtimes.installers import Installer

_REPAIR = "run: twiceshy install"
_RECENT_DAYS = 7
_NEWEST = 3


def hook_findings(config: Config, *, trial: bool = True) -> Iterator[HealthFinding]:
    """Check every connection between runtimes and the memory home.

    Without a ``trial`` no program is started.
    """
    here = find_install_place(config)
    runtimes = list_connected_runtimes(config.home)
    if not runtimes:
        yield HealthFinding(
            "runtimes", "ok", "none is connected yet; `twiceshy install` connects one"
        )
    hooked = [name for name in runtimes if _is_registered(here, name, here.launcher_path)]
    if hooked:
        yield from _check_launcher(here, {name: runtimes[name] for name in hooked if trial})
    if (
        trial
        and here.mcp
        and any(_is_registered(here, name, here.server_path) for name in runtimes)
    ):
        yield _check_server(here)
    for name, runtime in runtimes.items():
        yield from _check_connection(here, name, runtime)
    yield from report_failures(config.home, now=read_clock())


def report_failures(home: str, *, now: int) -> Iterator[HealthFinding]:
    """Report recent failures of hooks, newest first."""
    path = os.path.join(home, launcher.LOG)
    since = format_stamp(now - _RECENT_DAYS * DAY)
    lines = (read_bytes(path) or b"").decode("utf-8", "replace").splitlines()
    recent = [line for line in lines if line[:4].isdecimal() and line >= since]
    if not recent:
        return
    count = f"{len(recent)} failure{'s' * (len(recent) > 1)}"
    yield HealthFinding(
        "hooks", "warning", f"{count} in {_RECENT_DAYS} days", f"all are in {path}"
    )
    for line in reversed(recent[-_NEWEST:]):
        yield HealthFinding("failure", "warning", fold_to_line(strip_unsafe(line), limit=300))


def _is_registered(here: InstallPlace, name: str, path: str) -> bool:
    """True if a runtime starts this program of ours."""
    try:
        done = receipt.load_receipt(here.home, name)
    except ConfigError:
        return False  # told with the runtime itself
    return done is not None and done.find_touched(path) is not None


def _check_launcher(here: InstallPlace, runtimes: dict[str, Installer]) -> Iterator[HealthFinding]:
    path = here.launcher_path
    text = (read_bytes(path) or b"").decode("utf-8", "replace")
    target = launcher.parse_launcher(text)
    if target is None:
        yield HealthFinding("launcher", "broken", f"{path} is missing or not ours", _REPAIR)
    elif gone := target.missing_file:
        yield HealthFinding("launcher", "broken", f"it points to {gone}, which is gone", _REPAIR)
    elif not os.access(path, os.X_OK):
        yield HealthFinding("launcher", "broken", f"{path} may not be executed", _REPAIR)
    else:
        if text != launcher.render_launcher(here.home, here.target):
            other = f"hooks run with {target.python}, this is {here.target.python}"
            yield HealthFinding("launcher", "warning", other, f"to use this one, {_REPAIR}")
        for name, runtime in runtimes.items():
            yield _check_answer(path, name, runtime)


def _check_answer(path: str, name: str, runtime: Installer) -> HealthFinding:
    from twiceshy.upkeep.trials import try_hook  # noqa: PLC0415 - an audit starts no program

    if trouble := try_hook(path, name, runtime.sample_payload):
        message = f"a hook of {runtime.TITLE} did not answer: {trouble}"
        return HealthFinding("launcher", "broken", message, _REPAIR)
    message = f"a hook of {runtime.TITLE} was run, and told what a note said"
    return HealthFinding("launcher", "ok", message)


def _check_server(here: InstallPlace) -> HealthFinding:
    from twiceshy.upkeep.trials import try_server  # noqa: PLC0415 - as above

    if trouble := try_server(here.server_path):
        return HealthFinding("mcp", "broken", f"the server did not answer: {trouble}", _REPAIR)
    return HealthFinding("mcp", "ok", "the server was started, and answered")


def _check_connection(
    here: InstallPlace, name: str, runtime: Installer
) -> Iterator[HealthFinding]:
    try:
        done = receipt.load_receipt(here.home, name)
        wanted = runtime.build_request(here)
        trouble = runtime.find_trouble(here)
        repair = "" if plan_install(here, wanted).is_empty else _REPAIR
    except ConfigError as error:
        yield HealthFinding(name, "broken", str(error), error.hint)
        return
    stale = [file.path for file in done.own_files if file.path not in wanted.files] if done else []
    differ = [
        *(path for path, (content, _) in wanted.files.items() if read_bytes(path) != content),
        *(path for path in stale if os.path.exists(path)),
    ]
    other = [path for path in differ if path not in (here.launcher_path, here.server_path)]
    if other:
        more = f" and {len(other) - 1} more" if len(other) > 1 else ""
        yield HealthFinding(name, "warning", f"not as it should be: {other[0]}{more}", _REPAIR)
    elif trouble:
        yield HealthFinding(name, "warning", trouble, repair)
    else:
        yield HealthFinding(name, "ok", f"{runtime.TITLE}: connected, {runtime.LEVEL}")
