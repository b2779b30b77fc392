"""Show progress bars for long tasks in a terminal."""

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


def show_progress(
    items: Iterable[T], label: str, *, total: int, weigh: Callable[[T], int] = lambda _: 1
) -> Iterator[T]:
    """Yield items, with a progress bar in a terminal after one second."""
    start, done = time.monotonic(), 0
    rest = iter(items)
    for item in rest:
        yield item
        done += weigh(item)
        if total and time.monotonic() - start > _SHORT_WAIT and sys.stderr.isatty():
            break
    else:
        return
    with click.progressbar(
        length=max(total, done), label=label, file=stderr_for_progress()
    ) as bar:
        bar.update(done)
        for item in rest:
            yield item
            bar.update(weigh(item))


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
    with click.progressbar(ids, length=total, label=label, file=stderr_for_progress()) as bar:
        return sum(1 for _ in bar)
