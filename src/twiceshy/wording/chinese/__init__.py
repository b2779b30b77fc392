"""Traditional Chinese as written by users of memory-engine: a module per product part."""

from __future__ import annotations

import pkgutil
from importlib import import_module


def table() -> dict[str, str]:
    """Return every sentence by what it is in English."""
    words: dict[str, str] = {}
    for part in pkgutil.iter_modules(__path__):
        words |= import_module(f"{__name__}.{part.name}").WORDS
    return words
