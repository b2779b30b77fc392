"""Digests of content, without the library of ciphers that ``hashlib`` loads: 2.6 ms where Python starts in 5."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class Digest(Protocol):
        """A finished digest."""

        def hexdigest(self) -> str:
            """Return the digest in hexadecimal digits."""


# To look for a module that is not there takes 0.5 ms, and a note that is written has three digests.
_loaded: list[Callable[[bytes], Digest]] = []


def hash_sha256(content: bytes) -> str:
    """Return the SHA-256 digest of some content, in hexadecimal digits."""
    return _load_sha256()(content).hexdigest()


def _load_sha256() -> Callable[[bytes], Digest]:
    """Return Python's own implementation, which not every build has, or that of ``hashlib``."""
    if not _loaded:
        _loaded.append(_find_sha256())
    return _loaded[0]


def _find_sha256() -> Callable[[bytes], Digest]:
    for name in ("_sha2", "_sha256"):  # since Python 3.12, and before
        try:
            found: Callable[[bytes], Digest] = __import__(name).sha256
        except (ImportError, AttributeError):
            continue
        return found
    from hashlib import sha256  # noqa: PLC0415 - for a Python that has neither

    return sha256
