"""The key of this device, made and used by ``ssh-keygen``: it signs what the device pushes."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import subprocess
import tempfile

from twiceshy.core.value import Value
from twiceshy.files import list_program_folders
from twiceshy.sync.rules import SyncError

FOLDER = "devices"  # in the memory home, owner-only: the key, and what is known of other devices
_KEYGEN = "ssh-keygen"
_KEY = "key"
_PURPOSE = "twiceshy-sync"  # a signature for another purpose never fits
_SIGNER = "device"
# 51 bytes: the name of the algorithm and 32 bytes; nothing else may stand in a list of signers.
_PUBLIC = re.compile(r"ssh-ed25519 [A-Za-z0-9+/]{68}")
_SECONDS = 20.0
_LONGEST_SIGNATURE = 4_000


class KeygenError(SyncError):
    """``ssh-keygen`` is missing, too old, or cannot use the key."""


class DeviceKey(Value):
    """A key pair of this device: the file of the private key, and the public key."""

    path: str
    public: str

    @property
    def fingerprint(self) -> str:
        """Return the fingerprint, as ``ssh-keygen -l`` prints it."""
        return fingerprint_key(self.public)


def fingerprint_key(public: str) -> str:
    """Return the fingerprint of a public key."""
    blob = base64.b64decode(public.partition(" ")[2])
    digest = base64.b64encode(hashlib.sha256(blob).digest()).decode()
    return f"SHA256:{digest.rstrip('=')}"


def is_public_key(text: str) -> bool:
    """True for the one form of a public key that devices have."""
    if not _PUBLIC.fullmatch(text):
        return False
    blob = base64.b64decode(text.partition(" ")[2])
    return len(blob) == 51 and blob.startswith(b"\0\0\0\x0bssh-ed25519\0\0\0\x20")


def read_device_key(home: str) -> DeviceKey | None:
    """Return the key of this device; None if it was never made."""
    path = os.path.join(home, FOLDER, _KEY)
    if not os.path.isfile(path):
        return None
    try:
        with open(f"{path}.pub", encoding="ascii", errors="replace") as file:
            public = _cut_comment(file.read(1_000))
    except OSError:
        public = ""
    if not is_public_key(public):
        public = _cut_comment(_run_keygen("-y", "-f", path).decode("ascii", "replace"))
    if not is_public_key(public):
        raise KeygenError(f"{path} is no key of a device", hint="move it away; a new one is made")
    return DeviceKey(path, public)


def make_device_key(home: str) -> DeviceKey:
    """Return the key of this device, made if missing."""
    if known := read_device_key(home):
        return known
    folder = os.path.join(home, FOLDER)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".new-") as place:
        made = os.path.join(place, _KEY)
        _run_keygen("-q", "-t", "ed25519", "-N", "", "-C", "twiceshy", "-f", made)
        os.replace(f"{made}.pub", os.path.join(folder, f"{_KEY}.pub"))
        os.replace(made, os.path.join(folder, _KEY))
    found = read_device_key(home)
    if found is None:
        raise KeygenError("the key of this device was not made", hint=f"see {folder}")
    return found


def sign_text(key: DeviceKey, text: bytes) -> bytes:
    """Return the signature of a text."""
    return _run_keygen("-q", "-Y", "sign", "-f", key.path, "-n", _PURPOSE, given=text)


def is_signed(public: str, text: bytes, signature: bytes, *, home: str) -> bool:
    """True if the owner of a public key signed exactly this text for a sync."""
    if not is_public_key(public) or len(signature) > _LONGEST_SIGNATURE:
        return False
    folder = os.path.join(home, FOLDER)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".check-") as place:
        signers, signed = os.path.join(place, "signers"), os.path.join(place, "signature")
        with open(signers, "w", encoding="ascii") as file:
            file.write(f'{_SIGNER} namespaces="{_PURPOSE}" {public}\n')
        with open(signed, "wb") as binary:
            binary.write(signature)
        words = ("-q", "-Y", "verify", "-f", signers, "-I", _SIGNER, "-n", _PURPOSE, "-s", signed)
        return _start_keygen(*words, given=text).returncode == 0


def _cut_comment(text: str) -> str:
    return " ".join(text.split()[:2])


def _run_keygen(*words: str, given: bytes = b"") -> bytes:
    done = _start_keygen(*words, given=given)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2][:200]
        raise KeygenError(
            f"ssh-keygen cannot make or use the key of this device: {said}",
            hint="it must be that of OpenSSH 8.1 or newer, and the memory home must be yours alone",
        )
    return done.stdout


def _start_keygen(*words: str, given: bytes) -> subprocess.CompletedProcess[bytes]:
    environ = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    environ["PATH"] = list_program_folders(os.environ.get("PATH", os.defpath))
    try:
        return subprocess.run(
            [_KEYGEN, *words],
            input=given,
            capture_output=True,
            check=False,
            timeout=_SECONDS,
            env=environ | {"LC_ALL": "C"},
            start_new_session=True,  # without a terminal nobody can be asked for a passphrase
            umask=0o077,
        )
    except FileNotFoundError as error:
        raise KeygenError(
            "ssh-keygen is not installed, so nothing can be signed or checked",
            hint="install OpenSSH; until then the other devices wait with what this one says",
        ) from error
    except subprocess.TimeoutExpired as error:
        raise KeygenError("ssh-keygen does not end", hint="try again") from error
