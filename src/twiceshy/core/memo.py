"""Remember what a pure function returned, without ``functools``, which takes a hook 2 ms to load."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    A = TypeVar("A")
    R = TypeVar("R")


def memoise(most: int) -> Callable[[Callable[[A], R]], Callable[[A], R]]:
    """Decorate a function of one argument: its last results are kept, ``most`` of them."""

    def decorate(function: Callable[[A], R]) -> Callable[[A], R]:
        known: dict[A, R] = {}

        def remembered(argument: A, /) -> R:
            if argument not in known:
                if len(known) >= most:
                    known.clear()
                known[argument] = function(argument)
            return known[argument]

        remembered.__doc__ = function.__doc__
        return remembered

    return decorate
