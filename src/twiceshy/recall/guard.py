"""Guards at a pending call: warn about sensitive files, ask about pushes that send secrets."""

from __future__ import annotations

import os

from twiceshy.core.prefilter_words import hash_name
from twiceshy.core.value import Value
from twiceshy.files import open_own
from twiceshy.recall.unchecked_call import explain_unchecked
from twiceshy.safety.guard import SHELL, has_guard_words
from twiceshy.shell.call_words import get_command_line

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.event import CallPending
    from twiceshy.recall.event_context import EventContext
    from twiceshy.safety.guard.names import ProtectedNames

FOLDER = "guard"  # in the memory home: what each session was told, as numbers
ACTS = ("warn", "ask", "deny")
_DAY_MS = 86_400_000
# A guard has time of its own: git may be slow, and many commits take long to search.
_PATIENCE_S, _CPU_MS = 3.0, 3_000
_SPARE_S = 0.6  # to write and print


class GuardFinding(Value):
    """A warning, and what is done about the call."""

    text: str
    act: str
    again: bool = False  # it is said each time


def guard_call(context: EventContext, event: CallPending) -> str:
    """Return guard warnings of a call; a warning is given once, ask and deny always."""
    mode = context.app.config.text("guards.mode")
    if mode == "off" or not _is_worth_reading(context, event):
        return ""
    found = list(_list_findings(context, event))
    if not found:
        return ""
    said = "\n".join(one.text for one in found)
    always = "\n".join(one.text for one in found if one.again)
    act = max((one.act for one in found), key=ACTS.index)
    if act != "warn":
        context.ruling = "deny" if "deny" in (act, context.ruling) else act
        return said
    if event.cannot_receive_context:
        return ""
    return said if said == always or _is_first_warning(context, said) else always


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


def _list_findings(context: EventContext, event: CallPending) -> Iterator[GuardFinding]:
    from twiceshy.safety.guard.names import ProtectedNames
    from twiceshy.safety.guard.warning import warn_about_files
    from twiceshy.safety.guard.writes import files_written_by_call

    config = context.app.config
    names = ProtectedNames(config.items("guards.protected"), config.items("guards.allowed"))
    if said := warn_about_files(
        names.select_sensitive(files_written_by_call(event.tool, event.arguments))
    ):
        yield GuardFinding(said, config.text("guards.mode"))
    if event.tool == SHELL:
        here = event.place or event.cwd
        yield from _guard_pushes(context, here, get_command_line(event.arguments), names)


def _guard_pushes(
    context: EventContext, here: str, line: str, names: ProtectedNames
) -> Iterator[GuardFinding]:
    """Yield a finding for each push on a command line that needs one."""
    from twiceshy.safety.guard.push import list_pushes, may_be_alias
    from twiceshy.safety.guard.warning import remind_before_push, warn_about_push

    found, aliased = list_pushes(line), may_be_alias(line) and _may_be_alias(context)
    if not found and not aliased:
        return
    from twiceshy.places.git_push import GitPatience, find_sensitive_changes, read_push_settings

    config, patience = context.app.config, GitPatience(_take_time(context))
    mode, secrets = config.text("guards.mode"), config.text("guards.push_secrets")
    if aliased:
        try:
            aliases = read_push_settings(here, patience=patience).aliases
        except OSError as error:
            yield GuardFinding(explain_unchecked(str(error)), secrets)
            return
        found = list_pushes(line, aliases)
    if found and config.flag("guards.push_reminder"):
        yield GuardFinding(remind_before_push(), "warn", again=True)
    for push in found:
        sent = find_sensitive_changes(push, here, names, patience=patience)
        if said := warn_about_push(push, sent):
            yield GuardFinding(said, max(mode, secrets, key=ACTS.index) if sent else mode)


def _take_time(context: EventContext) -> float:
    """Take the time of a guard: more processor time, and the wall time that is left."""
    if context.deadline is None:
        return _PATIENCE_S
    left = context.deadline.remaining_seconds()
    context.deadline.set_deadline(_CPU_MS, max(1, int(left * 1_000)))
    return min(_PATIENCE_S, left - _SPARE_S)


def _is_first_warning(context: EventContext, said: str) -> bool:
    """True for the first warning of its kind in a conversation; remembered."""
    event = context.event
    path = os.path.join(context.app.config.home, FOLDER, hash_name(event.session.encode()))
    heard_now = hash_name(f"{event.agent}/{context.session.compactions}/{said}".encode())
    try:
        with open(path, encoding="ascii", opener=open_own) as file:
            if heard_now in file.read().split():
                return False
    except (OSError, ValueError):
        context.defer_write(lambda: _sweep_old_warnings(context))
    context.defer_write(lambda: _remember_warning(path, heard_now))
    return True


def _remember_warning(path: str, what: str) -> None:
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        # a pipe that nobody reads is an error, and not waited for
        how = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK | os.O_CLOEXEC
        with open(os.open(path, how, 0o600), "a") as file:
            file.write(f"{what}\n")
    except OSError:
        return  # then it is said again


def _sweep_old_warnings(context: EventContext) -> None:
    """Remove warning records of finished sessions."""
    folder = os.path.join(context.app.config.home, FOLDER)
    oldest = context.event.at - context.app.config.integer("retention.state_days") * _DAY_MS
    try:
        with os.scandir(folder) as found:
            for entry in found:
                if entry.stat().st_mtime * 1_000 < oldest:
                    os.unlink(entry.path)
    except OSError:
        return
