"""What ``sync`` prints and asks about devices: this one, the introduced ones, and those that wait."""

from collections.abc import Iterator

from twiceshy.cli.options import open_app
from twiceshy.cli.output import flatten_text, print_result
from twiceshy.sync import device_files as reasons
from twiceshy.sync.devices import DeviceOverview, list_devices
from twiceshy.sync.known_devices import WaitingDevice
from twiceshy.sync.sync_run import SyncResult
from twiceshy.wording import worded

_FEW = 5
_SUSPECT = (reasons.FORGED, reasons.ELSEWHERE, reasons.OTHER_KEY, reasons.OLDER, reasons.CHANGED)


def show_devices(*, as_json: bool) -> None:
    """Print what is known of devices, without asking the remote."""
    with open_app() as app:
        found = list_devices(app)
    plain = found.fields() | {
        "introduced": [{"fingerprint": key, "name": name} for key, name in found.introduced],
        "revoked": [{"fingerprint": key, "name": name} for key, name in found.revoked],
        "waiting": [one.fields() for one in found.waiting],
        "asking": [one.fields() for one in found.asking],
    }
    print_result(plain, format_devices(found), as_json=as_json)


def _word_reasons() -> dict[str, str]:
    """Return why files are not believed, in the language of the user."""
    return {
        reasons.NEW: worded("not introduced here"),
        reasons.UNSIGNED: worded("unsigned"),
        reasons.FORGED: worded("its signature does not fit"),
        reasons.ELSEWHERE: worded("signed for another device or repository"),
        reasons.REVOKED: worded("revoked here"),
        reasons.OTHER_KEY: worded("signed with another key than before"),
        reasons.OLDER: worded("older than what was seen of it before"),
        reasons.CHANGED: worded("changed by somebody else after it was signed"),
        reasons.UNCHECKED: worded("not checked, because ssh-keygen is missing"),
        reasons.NOBODYS: worded("written by no device"),
    }


def list_waiting_devices(done: SyncResult) -> Iterator[str]:
    """Yield what to do about devices whose files are not believed."""
    for one in done.strangers[:_FEW]:
        yield _format_waiting(one)
        if one.why == reasons.NEW:
            yield worded("  if it is yours: twiceshy sync --trust {key}", key=one.fingerprint)
        elif one.why in _SUSPECT:
            yield worded("  somebody else may have written there: find out who can push")
        elif one.device:
            yield worded(
                "  sync on that device, or take in what it says once: twiceshy sync --take {device}",
                device=one.device[:12],
            )
    if done.strangers and done.fingerprint:
        yield worded("this device shows the fingerprint {key}", key=done.fingerprint)


def _format_waiting(one: WaitingDevice) -> str:
    name = flatten_text(one.name, limit=40) or one.device[:12] or worded("files of no device")
    return worded(
        "{count} lines of {name} wait: {why}{key}",
        count=one.lines,
        name=name,
        why=_word_reasons().get(one.why, one.why),
        key=f" ({one.fingerprint})" if one.fingerprint else "",
    )


def format_devices(found: DeviceOverview) -> Iterator[str]:
    """Yield this device, the introduced and revoked ones, and those that wait."""
    yield worded("this device: {key}", key=found.fingerprint or found.unsigned)
    for key, name in found.introduced:
        yield worded("introduced: {key} {name}", key=key, name=flatten_text(name, limit=40))
    for key, name in found.revoked:
        yield worded("revoked: {key} {name}", key=key, name=flatten_text(name, limit=40))
    for one in found.waiting:
        yield _format_waiting(one)
