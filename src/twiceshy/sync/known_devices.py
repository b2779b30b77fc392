"""What this device knows of the others: which are introduced, what was seen of them, what waits.

A file of the memory home holds it. A file that is damaged or somebody else's is as good as none:
then every other device waits until it is introduced again.
"""

from __future__ import annotations

import hashlib
import json
import os
from stat import S_ISREG
from typing import TYPE_CHECKING

from twiceshy.core.errors import StoreError
from twiceshy.core.value import Value
from twiceshy.files.replace import replace_file
from twiceshy.files.waiting_notice import write_waiting
from twiceshy.sync.ssh_key import FOLDER

if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T", bound=Value)

_FILE = "known.json"
_MOST = 16 << 20
MOST_SPOKEN_FOR = 16  # devices that never signed, for which one device tells what they counted
_WRITABLE_BY_OTHERS = 0o022
_SHORTEST = 16  # characters of a fingerprint that name one: nobody finds a key for so many


class WaitingDevice(Value):
    """A device whose files are not believed, and why; ``lines`` are those of its files."""

    device: str
    name: str
    fingerprint: str
    why: str
    lines: int


class AskedChange(Value):
    """A change of another device that waits for a person: erase, join, rule or relay."""

    what: str
    about: str  # a note, an episode, or the name of a project
    other: str  # the project that would be joined, or the device in whose name it is said
    device: str  # who says it
    keys: tuple[str, ...]  # of the lines
    said: tuple[
        tuple[str, str], ...
    ] = ()  # what an approved rule would say: its fields that change


class KnownDevices:
    """The record of this device about the others."""

    def __init__(self, home: str) -> None:
        self.home = home
        self._path = os.path.join(home, FOLDER, _FILE)
        self._read = _read_document(self._path)
        found = json.loads(self._read) if self._read else {}
        self.introduced: dict[str, str] = _texts(found.get("introduced"))  # fingerprint → name
        self.revoked: dict[str, str] = _texts(found.get("revoked"))
        self.bound: dict[str, str] = _texts(found.get("bound"))  # device → fingerprint
        self.repositories: dict[str, str] = _texts(found.get("repositories"))
        self.verified: dict[str, str] = _texts(found.get("verified"))
        self.accepted: dict[str, str] = _texts(found.get("accepted"))  # "path digest" → device
        self.answers: dict[str, str] = _texts(found.get("answers"))  # line → yes or no
        self.seen: dict[str, int] = _counts(found.get("seen"))  # "repository device" → count
        self.spoken: dict[str, str] = _texts(found.get("spoken"))  # unsigned device → who tells
        self.statements: dict[str, str] = _texts(found.get("statements"))
        self.signed = _counts(found).get("signed", 0)
        # how often a person decided: after each time, all files are looked at anew
        self.decisions = _counts(found).get("decisions", 0)
        self.waiting = _values(WaitingDevice, found.get("waiting"))
        self.asking = [
            one.but(keys=tuple(one.keys), said=_pairs(one.said))
            for one in _values(AskedChange, found.get("asking"))
        ]

    def save(self) -> None:
        """Write the record, if it changed."""
        document = {
            name: value
            for name, value in vars(self).items()
            if not name.startswith("_") and name != "home"
        }
        document["waiting"] = [one.fields() for one in self.waiting]
        document["asking"] = [one.fields() for one in self.asking]
        text = json.dumps(document, sort_keys=True, indent=1)
        if text == self._read:
            return
        try:
            os.makedirs(os.path.dirname(self._path), mode=0o700, exist_ok=True)
            replace_file(self._path, text.encode(), durable=True)
            write_waiting(self.home, devices=len(self.waiting), changes=len(self.asking))
        except OSError as error:
            raise StoreError(
                f"what is known of other devices cannot be written: {error.strerror}",
                hint=f"see that {self.home} can be written, and that there is room",
            ) from error
        self._read = text

    def introduce(self, name: str, own: str = "") -> str:
        """Believe the device with this fingerprint from now on; return the fingerprint."""
        fingerprint = self.find_fingerprint(name)
        if fingerprint == own:
            raise StoreError(
                "that is the fingerprint of this device itself",
                hint="run this command on the other device; here, give the fingerprint shown there",
            )
        known = {one.fingerprint: one for one in self.waiting}
        self.introduced[fingerprint] = known[fingerprint].name if fingerprint in known else ""
        self.revoked.pop(fingerprint, None)
        self.decisions += 1
        for one in self.waiting:  # the person knows that it changed its key, or began anew
            if one.fingerprint == fingerprint:
                self.bound.pop(one.device, None)
                for repository in self.repositories.values():
                    self.seen.pop(f"{repository} {one.device}", None)
        return fingerprint

    def revoke(self, name: str) -> str:
        """Believe a device no longer; what it said before stays."""
        fingerprint = self.find_fingerprint(name)
        self.revoked[fingerprint] = self.introduced.pop(fingerprint, "")
        self.decisions += 1
        return fingerprint

    def answer_changes(self, *, yes: bool) -> None:
        """Answer all changes that wait: take them in, or leave them out for good."""
        told = "yes" if yes else "no"
        self.answers |= {key: told for one in self.asking for key in one.keys}
        self.asking = []
        self.decisions += 1

    def find_device(self, name: str) -> str:
        """Return the waiting device that a person means by the beginning of its id, or its name."""
        ids = {one.device for one in self.waiting if one.device}
        named = {one.device for one in self.waiting if one.name == name}
        found = named or {each for each in ids if len(name) >= 4 and each.startswith(name)}
        if len(found) != 1:
            raise StoreError(
                f"no device waits by the name {name[:60]!r}", hint="see: twiceshy sync --devices"
            )
        return found.pop()

    def may_speak_for(self, device: str, speaker: str) -> bool:
        """True if a device may tell what another one counted that never signed itself; bounded."""
        told = [one for one, who in self.spoken.items() if who == speaker]
        if device not in told and len(told) >= MOST_SPOKEN_FOR:
            return False
        self.spoken.setdefault(device, speaker)
        return self.spoken[device] == speaker

    def name_device(self, device: str) -> str:
        """Return what people call a device; the beginning of its id, if nobody knows."""
        return self.introduced.get(self.bound.get(device, ""), "") or device[:8]

    def find_fingerprint(self, name: str) -> str:
        """Return the fingerprint that a person means."""
        wanted = name.removeprefix("SHA256:")
        known = {*self.introduced, *self.revoked, *(one.fingerprint for one in self.waiting)} - {
            ""
        }
        found = [one for one in sorted(known) if one.removeprefix("SHA256:").startswith(wanted)]
        if len(found) == 1 and len(wanted) >= _SHORTEST:
            return found[0]
        if len(wanted) == 43 and wanted.replace("+", "").replace("/", "").isalnum():
            return f"SHA256:{wanted}"
        raise StoreError(
            f"no device has the fingerprint {name[:60]!r}",
            hint="give it whole, as the other device shows it: twiceshy sync --devices",
        )


def digest_line(line: bytes) -> str:
    """Return the name of a line in answers."""
    return hashlib.sha256(line).hexdigest()[:32]


def _read_document(path: str) -> str:
    """Return the text of the record; empty if missing, unsafe or damaged."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    with open(handle, "rb") as file:
        found = os.fstat(handle)
        ours = found.st_uid == os.geteuid() and not found.st_mode & _WRITABLE_BY_OTHERS
        if not (ours and S_ISREG(found.st_mode)):
            return ""
        text = file.read(_MOST).decode("utf-8", "replace")
    try:
        return text if isinstance(json.loads(text), dict) else ""
    except (ValueError, RecursionError):
        return ""


def _texts(value: object) -> dict[str, str]:
    found = value if isinstance(value, dict) else {}
    return {str(key): str(one) for key, one in found.items()}


def _pairs(value: object) -> tuple[tuple[str, str], ...]:
    found = value if isinstance(value, (list, tuple)) else ()
    return tuple((str(one[0]), str(one[1])) for one in found if len(one) == 2)


def _values(cls: type[T], value: object) -> list[T]:
    """Return the values of a list; what lacks a field, or has too many, is left out."""
    found = [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
    known = set(cls.__fields__)
    return [cls.of(one) for one in found if known - set(cls.__defaults__) <= one.keys() <= known]


def _counts(value: object) -> dict[str, int]:
    found = value if isinstance(value, dict) else {}
    return {str(key): one for key, one in found.items() if type(one) is int}
