"""What a person sees of devices and decides about them: introduced ones, waiting ones, and their changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.history import fields_to_write
from twiceshy.core.note import short_handle
from twiceshy.core.store import HealthFinding
from twiceshy.core.value import Value
from twiceshy.sync.known_devices import AskedChange, KnownDevices
from twiceshy.sync.ssh_key import KeygenError, make_device_key
from twiceshy.sync.sync_run import SyncRequest, sync_with_remote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.sync.known_devices import WaitingDevice
    from twiceshy.sync.receive import ReceivedChanges

_ANSWER = "twiceshy review --accept-all changes"
_SEE = "twiceshy sync --devices"


class DeviceOverview(Value):
    """This device, the introduced and the revoked ones by fingerprint, and those that wait."""

    device: str
    fingerprint: str
    unsigned: str  # why this device does not sign
    introduced: tuple[tuple[str, str], ...]  # fingerprint and name
    revoked: tuple[tuple[str, str], ...]
    waiting: tuple[WaitingDevice, ...]
    asking: tuple[AskedChange, ...]


def list_devices(app: App) -> DeviceOverview:
    """Return what is known of devices, without asking the remote."""
    known, unsigned, fingerprint = KnownDevices(app.config.home), "", ""
    try:
        fingerprint = make_device_key(app.config.home).fingerprint
    except KeygenError as error:
        unsigned = str(error)
    return DeviceOverview(
        app.store.device,
        fingerprint,
        unsigned,
        tuple(sorted(known.introduced.items())),
        tuple(sorted(known.revoked.items())),
        tuple(known.waiting),
        tuple(known.asking),
    )


def list_asked_changes(app: App) -> list[AskedChange]:
    """Return the changes of other devices that wait for an answer."""
    return KnownDevices(app.config.home).asking


def answer_changes(app: App, *, yes: bool) -> ReceivedChanges:
    """Answer all changes that wait; those that are accepted are taken in now, as one change."""
    way = SyncRequest(give=False, near=True, decide=lambda known, _: known.answer_changes(yes=yes))
    return sync_with_remote(app, way).brought


def introduce_devices(known: KnownDevices, own: str, names: Sequence[str]) -> None:
    """Believe the devices with these fingerprints from now on."""
    for name in names:
        known.introduce(name, own)


def describe_change(app: App, one: AskedChange) -> str:
    """Return what a waiting change would do, in one line."""
    who = KnownDevices(app.config.home).name_device(one.device)
    note = app.store.note(one.about)
    what = f"{short_handle(one.about)}: {note.text}" if note else one.about
    projects = {each: name for each, (name, _) in app.store.list_projects().items()}
    match one.what:
        case "join":
            names = (projects.get(each) or each for each in (one.about, one.other))
            return f"{who} joins two projects: {' and '.join(filter(None, names))}"
        case "rule":
            return f"{who} changes or retires an approved rule, {what}{_describe_words(note, one.said)}"
        case "relay":
            return f"{who} tells {len(one.keys)} changes in the name of {one.other[:8]}"
        case "erase" if not note:
            return f"{who} forgot a note with the same words as one that is here, {short_handle(one.about)}"
        case _:
            return f"{who} forgot a note, {what}"


def _describe_words(note: Note | None, said: Sequence[tuple[str, str]]) -> str:
    """Return the words that an approved rule has, and would have."""
    told = fields_to_write(note) if note else {}
    return "".join(f"; {name}: {str(told.get(name, ''))!r} → {new!r}" for name, new in said)


def examine_devices(app: App) -> HealthFinding:
    """Report which devices wait to be introduced, and which of their changes for an answer."""
    found = list_devices(app) if app.config.text("sync.remote") else None
    if found is None:
        return HealthFinding("devices", "ok", "no remote is set, so there are no other devices")
    if found.unsigned:
        return HealthFinding("devices", "warning", found.unsigned, "install OpenSSH")
    waiting = describe_waiting(app)
    said = "; ".join(filter(None, (f"{len(found.introduced)} introduced", waiting)))
    hint = _ANSWER if found.asking else _SEE if found.waiting else ""
    return HealthFinding("devices", "warning" if hint else "ok", said, hint)


def describe_waiting(app: App) -> str:
    """Return which devices and changes wait; empty if none."""
    known, parts = KnownDevices(app.config.home), []
    if known.waiting:
        parts.append(f"{len(known.waiting)} devices wait: {known.waiting[0].why}")
    if known.asking:
        parts.append(f"{len(known.asking)} changes of other devices wait for your answer")
    return "; ".join(parts)
