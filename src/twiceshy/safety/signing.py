"""Signed rules: the user's key vouches for every word of a rule and its act."""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Literal, Protocol

    from twiceshy.core.note import Note

    Act = Literal["tell", "ask", "deny"]

    class Sum(Protocol):
        """Result of a hash function."""

        def digest(self) -> bytes:
            """Return the digest."""


ACTS: tuple[Act, ...] = ("tell", "ask", "deny")
# A rule that was taken out of sight keeps what it was approved for under another seal: whoever sets
# it back to active in the file alone has no seal that fits.
_RESTING = "resting "
# The first part of what is summed up: a seal of another kind, or of a later form, never fits here.
_FORM = "twiceshy rule 1"
_BLOCK = 64  # bytes; SHA-256 works on so many at a time


class Signature(Value):
    """An approval on this device: note, permitted act, and seal.

    Seals of earlier wordings may follow the seal; they count for nothing alone.
    """

    note: str
    act: str
    mac: str
    at: int


def compute_seal(key: bytes, note: Note, act: str) -> str:
    """Return the HMAC-SHA256 (hex) of a rule's words, scope and act."""
    return _compute_hmac(key, b"".join(_frame_parts(note, act))).hex()


def is_sealed(key: bytes, note: Note, signature: Signature | None) -> bool:
    """True if a signature fits this note; constant time."""
    if signature is None or not key:
        return False
    # what ``hmac.compare_digest`` is, without the module, which loads OpenSSL
    from _operator import _compare_digest  # noqa: PLC0415 - only where a rule is

    expected = compute_seal(key, note, signature.act).encode()
    given = signature.mac.partition(" ")[0].encode("utf-8", "surrogatepass")
    return signature.note == note.id and _compare_digest(expected, given)


def find_permitted_act(key: bytes, note: Note, signature: Signature | None) -> Act | None:
    """Return the permitted act of a rule; None unless approved in its current wording."""
    if note.kind != "rule" or note.status != "active" or not is_sealed(key, note, signature):
        return None
    return next((act for act in ACTS if signature and act == signature.act), None)


def find_approved_act(key: bytes, note: Note, signature: Signature | None) -> Act | None:
    """Return the permitted act of a rule, now or after a restore."""
    if note.status == "active" or not is_sealed(key, note, signature):
        return find_permitted_act(key, note, signature)
    return next((act for act in ACTS if signature and resting_act(act) == signature.act), None)


def resting_act(act: Act) -> str:
    """Return the act used for the seal of a hidden rule."""
    return _RESTING + act


def list_signed_words(note: Note) -> tuple[str, ...]:
    """Return everything the user approves: note, scope, and text fields."""
    scope = note.scope.project, note.scope.skill
    said = note.kind, note.subtype, note.text, note.why, note.trigger, note.state
    return (note.id, *scope, *said)


def _frame_parts(note: Note, act: str) -> Iterator[bytes]:
    """Yield every part after its length, so that no two notes give equal bytes."""
    for part in (_FORM, *list_signed_words(note), act):
        encoded = part.encode("utf-8", "surrogatepass")
        yield len(encoded).to_bytes(8, "big")
        yield encoded


def _compute_hmac(key: bytes, message: bytes) -> bytes:
    sha256 = _load_sha256()
    if len(key) > _BLOCK:
        key = sha256(key).digest()
    key = key.ljust(_BLOCK, b"\0")
    inner = sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    return sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()


def _load_sha256() -> Callable[[bytes], Sum]:
    """Return the interpreter's own SHA-256; ``hashlib`` and ``hmac`` load OpenSSL."""
    for name in ("_sha2", "_sha256"):  # since Python 3.12, and before
        try:
            found: Callable[[bytes], Sum] = __import__(name).sha256
        except ImportError:
            continue
        return found
    from hashlib import sha256  # noqa: PLC0415 - for an interpreter that has neither

    return sha256
