"""Deadline of a hook: a limit of processor time, and a wall limit inside the client's patience.

A busy machine lets a process wait; waiting is not our work, so it counts only against the wall
limit. The clients wait five seconds for a hook.
"""

from __future__ import annotations

try:
    import posix as system
except ImportError:  # Windows
    import nt as system  # type: ignore[no-redef]  # the same functions under another name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "CPU_MS",
    "LONGEST_S",
    "MOST_CPU_S",
    "WALL_MS",
    "exit_fast",
    "is_held",
    "last_words",
    "remaining_seconds",
    "set_deadline",
    "set_hard_limit",
    "system",
]

CPU_MS, WALL_MS = 300, 3_500
# A transcript of 100 MB takes half a minute; the store is sound whenever we are ended.
LONGEST_S, MOST_CPU_S = 900, 300
# what to do when the deadline comes first; it gets the limit that was reached
last_words: list[Callable[[str], object]] = []
is_held = False  # True once the record of the event is on disk, or is known to be none


def set_deadline(cpu_ms: int = CPU_MS, wall_ms: int = WALL_MS) -> None:
    """End this process quietly after so much processor time or wall time from now on."""
    import _signal  # type: ignore[import-not-found]  # ``signal`` is this and 4 ms of enum

    if not hasattr(_signal, "setitimer"):
        return
    # whoever started us may have blocked them, and masks outlive exec
    _signal.pthread_sigmask(_signal.SIG_UNBLOCK, (_signal.SIGALRM, _signal.SIGPROF))
    _signal.signal(_signal.SIGINT, _signal.SIG_IGN)  # meant for the client; we are done soon
    _signal.signal(_signal.SIGALRM, lambda *_: _on_expired(f"{wall_ms} ms of wall time"))
    _signal.signal(_signal.SIGPROF, lambda *_: _on_expired(f"{cpu_ms} ms of processor time"))
    _signal.setitimer(_signal.ITIMER_PROF, cpu_ms / 1000)
    _signal.setitimer(_signal.ITIMER_REAL, wall_ms / 1000)


def remaining_seconds() -> float:
    """Return the wall time left before the deadline; none left without a deadline."""
    import _signal

    return float(_signal.getitimer(_signal.ITIMER_REAL)[0]) if hasattr(_signal, "getitimer") else 0


def set_hard_limit(*, seconds: int = LONGEST_S, cpu: int = MOST_CPU_S) -> None:
    """End a background process after a limit, even if hanging."""
    import _signal

    if not hasattr(_signal, "alarm"):
        return
    import resource

    _signal.pthread_sigmask(_signal.SIG_UNBLOCK, (_signal.SIGALRM, _signal.SIGXCPU))
    for number in (_signal.SIGALRM, _signal.SIGXCPU):
        _signal.signal(number, _signal.SIG_DFL)
    _signal.alarm(seconds)
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    allowed = cpu if most == resource.RLIM_INFINITY else min(cpu, most)
    resource.setrlimit(resource.RLIMIT_CPU, (allowed, most))


def exit_fast() -> None:
    """Exit without interpreter shutdown, which costs a third of a start."""
    system._exit(0)  # noqa: SLF001 - its name; nothing else ends at once


def _on_expired(limit: str) -> None:
    """Say the last words, without a deadline of their own, and exit."""
    import _signal

    _signal.setitimer(_signal.ITIMER_PROF, 0)
    _signal.setitimer(_signal.ITIMER_REAL, 0)
    try:
        for act in last_words:
            act(limit)
    finally:
        exit_fast()
