"""Guards at a pending call: warn about sensitive files and pushes."""

from __future__ import annotations

import os

from twiceshy.core.prefilter_words import name_of
from twiceshy.safety.guard import SHELL, speaks_plainly
from twiceshy.shell.grams import command_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.event import CallPending
    from twiceshy.recall.event_context import Desk
    from twiceshy.safety.guard.names import Names

FOLDER = "guard"  # in the memory home: what each session was told, as numbers
_QUESTIONS = 6  # that git may be asked, and some time must be left for us
_DAY_MS = 86_400_000


def guarded(desk: Desk, event: CallPending) -> str:
    """Return guard warnings of a call; a warning is given once, ask and deny always."""
    mode = desk.app.config.text("guards.mode")
    if mode == "off" or (mode == "warn" and event.deaf) or not _readable(desk, event):
        return ""
    said = "\n".join(_warnings(desk, event))
    if not said:
        return ""
    if mode != "warn":
        desk.ruling = "deny" if "deny" in (mode, desk.ruling) else mode
        return said
    return said if _first(desk, said) else ""


def _readable(desk: Desk, event: CallPending) -> bool:
    """True if a call is worth parsing: most git calls push nothing."""
    protected = desk.app.config.items("guards.protected")
    return event.tool != SHELL or speaks_plainly(event.arguments, protected) or _aliased(desk)


def _aliased(desk: Desk) -> bool:
    from twiceshy.places.repository import has_aliases

    return has_aliases(desk.session.root)


def _warnings(desk: Desk, event: CallPending) -> Iterator[str]:
    from twiceshy.safety.guard.names import Names
    from twiceshy.safety.guard.warning import about_files
    from twiceshy.safety.guard.writes import written_by

    config = desk.app.config
    names = Names(config.items("guards.protected"), config.items("guards.allowed"))
    if said := about_files(names.among(written_by(event.tool, event.arguments))):
        yield said
    if event.tool == SHELL:
        here = event.place or event.cwd
        yield from _of_pushes(desk, here, command_of(event.arguments), names)


def _of_pushes(desk: Desk, here: str, line: str, names: Names) -> Iterator[str]:
    from twiceshy.safety.guard.outgoing import Outgoing
    from twiceshy.safety.guard.push import may_be_alias, pushes
    from twiceshy.safety.guard.warning import about_push

    patience = desk.app.config.integer("hook.deadline_ms") / 1_000 / _QUESTIONS
    found, aliased = pushes(line), may_be_alias(line) and _aliased(desk)
    if not found and not aliased:
        return
    from twiceshy.places.git_outgoing import configured, outgoing

    if aliased:
        found = pushes(line, configured(here, patience=patience).aliases)
    for at, push in enumerate(found):
        # the time is enough for one: of the others the command line must tell
        sent = Outgoing() if at else outgoing(push, here, names, patience=patience)
        if said := about_push(push, sent):
            yield said


def _first(desk: Desk, said: str) -> bool:
    """True for the first warning of its kind in a conversation; remembered."""
    event = desk.event
    path = os.path.join(desk.app.config.home, FOLDER, name_of(event.session.encode()))
    heard_now = name_of(f"{event.agent}/{desk.session.compactions}/{said}".encode())
    try:
        with open(path, encoding="ascii") as file:
            if heard_now in file.read().split():
                return False
    except (OSError, ValueError):
        desk.later(lambda: _sweep(desk))
    desk.later(lambda: _remember(path, heard_now))
    return True


def _remember(path: str, what: str) -> None:
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "a") as file:
            file.write(f"{what}\n")
    except OSError:
        return  # then it is said again


def _sweep(desk: Desk) -> None:
    """Remove warning records of finished sessions."""
    folder = os.path.join(desk.app.config.home, FOLDER)
    oldest = desk.event.at - desk.app.config.integer("retention.state_days") * _DAY_MS
    try:
        for entry in os.scandir(folder):
            if entry.stat().st_mtime * 1_000 < oldest:
                os.unlink(entry.path)
    except OSError:
        return
