"""Count how hooks ended lately: in time, out of time, or before their record was stored."""

import os
from collections.abc import Callable, Iterator

from twiceshy.config.resolved import Config
from twiceshy.core.moment import DAY, format_stamp
from twiceshy.core.store import HealthFinding
from twiceshy.core.value import Value
from twiceshy.files import open_plain
from twiceshy.files.log import is_own_file
from twiceshy.recall.held_record import list_held
from twiceshy.recall.hook_log import ENDED, EXPIRED, NAME, TOLD, locate_fallback

DAYS = 7
_LEARNING = " learn "  # the lines of background jobs
_LARGEST = 64 << 20
_UNWRITABLE = "let hooks write to the memory home: check its owner and mode, or set TWICESHY_HOME"


class HookReliability(Value):
    """Hooks of the last days: finished, expired, and records that no store has yet."""

    finished: int
    expired: int
    held: int
    told: int  # texts that could not be recorded


def count_hook_endings(config: Config, *, now: int) -> HookReliability:
    """Count the endings that the logs of the last days tell of."""
    ran = list(recent_lines(config.run_log, now=now))
    failed = list(recent_hook_lines(config.home, now=now))
    return HookReliability(
        finished=sum(_LEARNING not in line for line in ran),
        expired=sum(is_unfinished(line) for line in failed),
        held=len(list_held(config.store)),
        told=sum(TOLD in line for line in failed),
    )


def is_unfinished(line: str) -> bool:
    """True if a line of the hook log tells of a hook that did not finish."""
    return EXPIRED in line or ENDED in line


def is_failure(line: str) -> bool:
    """True if a line of the hook log tells of a failure that is counted nowhere else."""
    return not (is_unfinished(line) or TOLD in line)


def describe_endings(found: HookReliability) -> str:
    """Return a sentence about hooks that ran out of time."""
    total = found.finished + found.expired
    if not found.expired:
        return f"{total:,} in {DAYS} days, all finished" if total else ""
    share = found.expired / total
    return f"{found.expired:,} of {total:,} in {DAYS} days did not finish ({share:.1%})"


def report_endings(config: Config, *, now: int) -> Iterator[HealthFinding]:
    """Report how many hooks ran out of time, and the records that wait."""
    found = count_hook_endings(config, now=now)
    if said := describe_endings(found):
        late = "they waited for the machine; if it goes on, raise hook.wall_ms or hook.deadline_ms"
        yield HealthFinding("hooks", *(("warning", said, late) if found.expired else ("ok", said)))
    if found.held:
        said = f"{found.held} record{'s' * (found.held > 1)} of ended hooks wait to be stored"
        yield HealthFinding("hooks", "ok", said, "twiceshy distill --all")
    if found.told:
        said = f"{found.told} text{'s' * (found.told > 1)} told in {DAYS} days without a record"
        more = "; they may be told again, and `effect` does not know them"
        yield HealthFinding("hooks", "warning", said + more, _UNWRITABLE)


def recent_hook_lines(home: str, *, now: int) -> Iterator[str]:
    """Yield the recent lines of the hook log, and those from when it could not be written."""
    yield from recent_lines(locate_fallback(home), now=now, opener=_open_own)
    yield from recent_lines(os.path.join(home, NAME), now=now)


def has_fallback(home: str) -> bool:
    """True if lines were logged while the memory home could not be written."""
    return os.path.isfile(locate_fallback(home))


def _open_own(path: str, flags: int) -> int:
    """Open a file of this user that nobody else can write; an ``opener`` for ``open``."""
    handle = open_plain(path, flags | os.O_NOFOLLOW)
    if is_own_file(handle):
        return handle
    os.close(handle)
    raise PermissionError(path)


def recent_lines(
    path: str, *, now: int, opener: Callable[[str, int], int] = open_plain
) -> Iterator[str]:
    """Yield the lines of a log since some days ago."""
    since = format_stamp(now - DAYS * DAY)
    try:
        with open(path, "rb", opener=opener) as file:
            lines = file.read(_LARGEST).decode("utf-8", "replace").splitlines()
    except OSError:
        return
    yield from (line for line in lines if line[:4].isdecimal() and line >= since)
