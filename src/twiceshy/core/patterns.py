"""Compile on first use: a hook meets few of our patterns, and each costs it a tenth of a millisecond."""

from __future__ import annotations

import re

_compiled: dict[tuple[str, int], re.Pattern[str]] = {}


def pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return the compiled pattern; unlike the cache of ``re`` ours never throws one away."""
    ready = _compiled.get((source, flags))
    if ready is None:
        ready = _compiled[source, flags] = re.compile(source, flags)
    return ready
