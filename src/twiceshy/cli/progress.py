"""Show the progress of long tasks: a bar in a terminal, a line for each tenth elsewhere."""

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import click

from twiceshy.cli.output import print_message
from twiceshy.cli.safe_output import stderr_for_progress

T = TypeVar("T")

_SHORT_WAIT = 1.0  # seconds that nobody needs to be told about


class ProgressLines:
    """Progress on a stream that is no terminal: a line at each tenth, after the first second."""

    def __init__(self, label: str, length: int) -> None:
        """Begin a task of this length."""
        self._label, self._length = label, max(1, length)
        self._done = self._tenths = 0
        self._start = time.monotonic()

    def update(self, steps: int) -> None:
        """Count finished steps, and tell if that is worth a line."""
        self._done += steps
        tenths = min(10, 10 * self._done // self._length)
        if tenths > self._tenths and time.monotonic() - self._start > _SHORT_WAIT:
            self._tenths = tenths
            print_message(f"{self._label}: {10 * tenths} %")


@contextmanager
def progress_bar(label: str, *, length: int) -> Iterator[Callable[[int], None]]:
    """Give a function that counts the finished steps of a task, and show them."""
    if not sys.stderr.isatty():
        yield ProgressLines(label, length).update
        return
    with click.progressbar(length=length, label=label, file=stderr_for_progress()) as bar:
        yield bar.update


def show_progress(
    items: Iterable[T], label: str, *, total: int, weigh: Callable[[T], int] = lambda _: 1
) -> Iterator[T]:
    """Yield items, with a progress bar after one second."""
    start, done = time.monotonic(), 0
    rest = iter(items)
    for item in rest:
        yield item
        done += weigh(item)
        if total and time.monotonic() - start > _SHORT_WAIT:
            break
    else:
        return
    with progress_bar(label, length=max(total, done)) as update:
        update(done)
        for item in rest:
            yield item
            update(weigh(item))


@contextmanager
def announced(text: str) -> Iterator[None]:
    """Do something, and say what it is if it takes longer than a moment."""
    timer = threading.Timer(_SHORT_WAIT, lambda: print_message(text))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def show_list_progress(items: Sequence[T], label: str) -> Iterator[T]:
    """Yield the items of a list, with a progress bar for long runs."""
    return show_progress(items, label, total=len(items))


def count_with_progress(ids: Iterable[str], label: str, *, total: int) -> int:
    """Consume items under a progress bar, and return their count."""
    return sum(1 for _ in show_progress(ids, label, total=total))
