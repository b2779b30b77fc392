"""SQLite's C module, imported without ``functools`` unless that is loaded already.

All that ``_sqlite3`` takes from there is ``lru_cache``, for the statements of a connection. Loading
``functools`` and the ten modules behind it takes a hook 2 ms where Python itself starts in 8; the
rest of the package ``sqlite3`` is another 2 ms of dates and times.
"""

from __future__ import annotations

import sys

__all__ = ["sqlite3"]

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

_NAME = "functools"


def _import_driver() -> ModuleType:
    """Import the C module, with a stand-in for ``functools`` while it looks for that."""
    if _NAME not in sys.modules:
        sys.modules[_NAME] = stand_in = _build_stand_in()
        try:
            import _sqlite3
        except Exception:  # noqa: BLE001, S110 - a newer Python may ask for more
            pass
        else:
            return _sqlite3
        finally:
            if sys.modules.get(_NAME) is stand_in:
                del sys.modules[_NAME]
    import _sqlite3

    return _sqlite3


def _build_stand_in() -> ModuleType:
    from _functools import _lru_cache_wrapper  # type: ignore[import-not-found]  # no stub

    def lru_cache(maxsize: int) -> Callable[[Callable[..., Any]], object]:
        return lambda function: _lru_cache_wrapper(function, maxsize, False, tuple)  # noqa: FBT003 - it takes no names

    stand_in: Any = type(sys)(_NAME)
    stand_in.lru_cache = lru_cache
    module: ModuleType = stand_in
    return module


if not TYPE_CHECKING:
    sqlite3 = _import_driver()
