"""The device id of a store: it belongs to a place, so that a copied memory home gets one of its own.

A place is a machine and the folder of the store on it. A store remembers its id at each place:
a home that two machines or containers use by turns has two ids, not one more each time.
"""

from __future__ import annotations

import os
import sys

from twiceshy.core.digest import hash_sha256
from twiceshy.core.store import HealthFinding

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3

_PLACE = "place"  # in ``meta``: where the store is
_ID_AT = "device at "  # in ``meta``, followed by a place: the device id there
# Of systemd, of D-Bus, and of FreeBSD.
_MACHINE_FILES = ("/etc/machine-id", "/var/lib/dbus/machine-id", "/etc/hostid")
_RANDOM_NODE = 1 << 40  # the bit by which ``uuid`` marks a number that is none of a network card


def new_device() -> str:
    """Return a new device id of 128 bits."""
    return os.urandom(16).hex()


def identify_place(path: str) -> str:
    """Return a digest of the machine, and of the folder of a store on it."""
    folder = os.path.realpath(os.path.dirname(path))
    return hash_sha256(f"{_identify_machine()}\n{folder}".encode())[:32]


def choose_device(db: sqlite3.Connection, device: str, place: str) -> str:
    """Return the device id to write with at a place, inside the caller's transaction.

    It is ``device``, unless the store was somewhere else before.
    """
    known = dict(
        db.execute("SELECT key, value FROM meta WHERE key IN (?, ?)", (_PLACE, _ID_AT + place))
    )
    if known.get(_PLACE) == place:
        return device
    chosen = known.get(_ID_AT + place) or (new_device() if _PLACE in known else device)
    for key, value in ((_PLACE, place), (_ID_AT + place, chosen), ("device", chosen)):
        db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))
    return chosen


def list_own_devices(db: sqlite3.Connection) -> list[str]:
    """Return the device ids that the store had at each of its places."""
    known = (
        f"SELECT DISTINCT value FROM meta WHERE key GLOB '{_ID_AT}*' OR key = 'device' ORDER BY 1"
    )
    return [device for (device,) in db.execute(known)]


def examine_device(db: sqlite3.Connection, device: str) -> HealthFinding:
    """Report the device id, and whether the memory home was copied or moved."""
    places = len(list_own_devices(db))
    said = f"the journal of this memory home is that of device {device[:8]}" if device else ""
    if places > 1:
        said += f"; the home was copied or moved and had {places} device ids, one for each place"
    return HealthFinding("device", "ok", said or "nothing was written yet")


def _identify_machine() -> str:
    """Return an id of the machine; empty if it has none, as many containers."""
    for path in _MACHINE_FILES:
        try:
            with open(path, encoding="ascii", errors="replace") as file:
                if found := file.read(100).strip():
                    return found
        except OSError:
            continue
    if sys.platform == "linux":  # a container, whose network card is another one each time
        return ""
    import uuid

    node = uuid.getnode()
    return "" if node & _RANDOM_NODE else f"{node:012x}"
