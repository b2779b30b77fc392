"""Deadline of a hook: the process ends in time, captured records are in the spool."""

from __future__ import annotations

try:
    import posix as system
except ImportError:  # Windows
    import nt as system  # type: ignore[no-redef]  # the same functions under another name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "LONGEST_S",
    "MILLISECONDS",
    "MOST_CPU_S",
    "exit_fast",
    "last_words",
    "set_deadline",
    "set_hard_limit",
    "system",
]

MILLISECONDS = 300
# A transcript of 100 MB takes half a minute; the store is sound whenever we are ended.
LONGEST_S, MOST_CPU_S = 900, 300
_LAST_WORDS_S = 0.1

# what to do when the deadline comes before we are done: leave what was captured in the spool
last_words: list[Callable[[], object]] = []


def set_deadline(milliseconds: int) -> None:
    """End this process quietly after the given time."""
    import _signal  # type: ignore[import-not-found]  # ``signal`` is this and 4 ms of enum

    if hasattr(_signal, "setitimer"):
        # whoever started us may have blocked it, and masks outlive exec
        _signal.pthread_sigmask(_signal.SIG_UNBLOCK, (_signal.SIGALRM,))
        _signal.signal(_signal.SIGINT, _signal.SIG_IGN)  # meant for the client; we are done soon
        _signal.signal(_signal.SIGALRM, _on_expired)
        _signal.setitimer(_signal.ITIMER_REAL, milliseconds / 1000)


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


def _on_expired(*_: object) -> None:
    import _signal

    # the last words may have to wait for somebody too
    _signal.signal(_signal.SIGALRM, lambda *_: exit_fast())
    _signal.setitimer(_signal.ITIMER_REAL, _LAST_WORDS_S)
    try:
        for act in last_words:
            act()
    finally:
        exit_fast()
