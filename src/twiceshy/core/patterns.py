"""Compile patterns on first use: hooks need few, and each costs 0.1 ms, and the compiler 2 ms more."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import re

ASCII, IGNORE_CASE = 256, 2  # as in ``re``, without its enum
_compiled: dict[tuple[str, int], re.Pattern[str]] = {}


def compile_pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return a compiled pattern from a cache without eviction, unlike the cache of ``re``."""
    ready = _compiled.get((source, flags))
    if ready is None:
        ready = _compiled[source, flags] = _build_prepared(source, flags) or _build(source, flags)
    return ready


def _build(source: str, flags: int) -> re.Pattern[str]:
    import re  # noqa: PLC0415 - it costs as much as Python itself

    return re.compile(source, flags)


def _build_prepared(source: str, flags: int) -> re.Pattern[str] | None:
    """Build a pattern from what ``re`` compiled it to when the modules of hooks were compiled."""
    from twiceshy.core.prepared_patterns import PREPARED  # noqa: PLC0415 - of 200 kB in hooks

    prepared = PREPARED.get((source, flags))
    if prepared is None:
        return None
    import _sre  # type: ignore[import-not-found]  # noqa: PLC0415 - built in, without a stub

    all_flags, code, groups, names, group_names = prepared
    numbers = memoryview(code).cast("I").tolist()
    pattern: re.Pattern[str] = _sre.compile(  # what ``re`` itself calls at the end
        source, all_flags, numbers, groups, dict(names), group_names
    )
    return pattern
