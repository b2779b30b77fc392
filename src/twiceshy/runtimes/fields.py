"""Extract a field from payload bytes without parsing the rest."""

from __future__ import annotations


def extract_field(name: bytes, raw: bytes) -> bytes:
    """Return the text of a field; quotes inside texts are escaped by clients."""
    key = b'"' + name + b'":'
    at = raw.find(key)
    if at < 0:
        return b""
    at = raw.find(b'"', at + len(key), at + len(key) + 3) + 1
    return raw[at : raw.find(b'"', at, at + 4_096)] if at else b""
