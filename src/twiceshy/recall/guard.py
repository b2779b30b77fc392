"""Guards at a pending call: warn about sensitive files and pushes."""

from __future__ import annotations

import os

from twiceshy.core.prefilter_words import hash_name
from twiceshy.safety.guard import SHELL, has_guard_words
from twiceshy.shell.call_words import get_command_line

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.event import CallPending
    from twiceshy.recall.event_context import EventContext
    from twiceshy.safety.guard.names import ProtectedNames

FOLDER = "guard"  # in the memory home: what each session was told, as numbers
_QUESTIONS = 6  # that git may be asked, and some time must be left for us
_DAY_MS = 86_400_000


def guard_call(context: EventContext, event: CallPending) -> str:
    """Return guard warnings of a call; a warning is given once, ask and deny always."""
    mode = context.app.config.text("guards.mode")
    if (
        mode == "off"
        or (mode == "warn" and event.cannot_receive_context)
        or not _is_worth_reading(context, event)
    ):
        return ""
    said = "\n".join(_list_warnings(context, event))
    if not said:
        return ""
    if mode != "warn":
        context.ruling = "deny" if "deny" in (mode, context.ruling) else mode
        return said
    return said if _is_first_warning(context, said) else ""


def _is_worth_reading(context: EventContext, event: CallPending) -> bool:
    """True if a call is worth parsing: most git calls push nothing."""
    protected = context.app.config.items("guards.protected")
    return (
        event.tool != SHELL
        or has_guard_words(event.arguments, protected)
        or _may_be_alias(context)
    )


def _may_be_alias(context: EventContext) -> bool:
    from twiceshy.places.repository import may_have_aliases

    return may_have_aliases(context.session.root)


def _list_warnings(context: EventContext, event: CallPending) -> Iterator[str]:
    from twiceshy.safety.guard.names import ProtectedNames
    from twiceshy.safety.guard.warning import warn_about_files
    from twiceshy.safety.guard.writes import files_written_by_call

    config = context.app.config
    names = ProtectedNames(config.items("guards.protected"), config.items("guards.allowed"))
    if said := warn_about_files(
        names.select_sensitive(files_written_by_call(event.tool, event.arguments))
    ):
        yield said
    if event.tool == SHELL:
        here = event.place or event.cwd
        yield from _warn_about_pushes(context, here, get_command_line(event.arguments), names)


def _warn_about_pushes(
    context: EventContext, here: str, line: str, names: ProtectedNames
) -> Iterator[str]:
    from twiceshy.safety.guard.commits import SensitiveChanges
    from twiceshy.safety.guard.push import list_pushes, may_be_alias
    from twiceshy.safety.guard.warning import warn_about_push

    patience = context.app.config.integer("hook.deadline_ms") / 1_000 / _QUESTIONS
    found, aliased = list_pushes(line), may_be_alias(line) and _may_be_alias(context)
    if not found and not aliased:
        return
    from twiceshy.places.git_push import find_sensitive_changes, read_push_settings

    if aliased:
        found = list_pushes(line, read_push_settings(here, patience=patience).aliases)
    for at, push in enumerate(found):
        # the time is enough for one: of the others the command line must tell
        sent = (
            SensitiveChanges()
            if at
            else find_sensitive_changes(push, here, names, patience=patience)
        )
        if said := warn_about_push(push, sent):
            yield said


def _is_first_warning(context: EventContext, said: str) -> bool:
    """True for the first warning of its kind in a conversation; remembered."""
    event = context.event
    path = os.path.join(context.app.config.home, FOLDER, hash_name(event.session.encode()))
    heard_now = hash_name(f"{event.agent}/{context.session.compactions}/{said}".encode())
    try:
        with open(path, encoding="ascii") as file:
            if heard_now in file.read().split():
                return False
    except (OSError, ValueError):
        context.defer_write(lambda: _sweep_old_warnings(context))
    context.defer_write(lambda: _remember_warning(path, heard_now))
    return True


def _remember_warning(path: str, what: str) -> None:
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "a") as file:
            file.write(f"{what}\n")
    except OSError:
        return  # then it is said again


def _sweep_old_warnings(desk: EventContext) -> None:
    """Remove warning records of finished sessions."""
    folder = os.path.join(desk.app.config.home, FOLDER)
    oldest = desk.event.at - desk.app.config.integer("retention.state_days") * _DAY_MS
    try:
        for entry in os.scandir(folder):
            if entry.stat().st_mtime * 1_000 < oldest:
                os.unlink(entry.path)
    except OSError:
        return
