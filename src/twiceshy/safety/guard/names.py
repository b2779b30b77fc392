"""Recognise sensitive files by name, with exceptions."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class ProtectedNames:
    """Name patterns: ``*`` matches anything; a pattern with a slash matches path ends."""

    def __init__(self, protected: Sequence[str], allowed: Sequence[str]) -> None:
        self._protected = tuple(map(str.lower, protected))
        self._allowed = tuple(map(str.lower, allowed))

    def is_sensitive(self, path: str) -> bool:
        """True if a file of this name usually holds secrets."""
        plain = path.replace("\\", "/").lower().rstrip("/")
        return any(_matches_path(plain, each) for each in self._protected) and not any(
            _matches_path(plain, each) for each in self._allowed
        )

    def select_sensitive(self, paths: Iterable[str]) -> tuple[str, ...]:
        """Return the sensitive names, without repeats."""
        return tuple(path for path in dict.fromkeys(paths) if self.is_sensitive(path))


def _matches_path(path: str, pattern: str) -> bool:
    parts = pattern.count("/") + 1
    return _matches_glob("/".join(path.split("/")[-parts:]), pattern)


def _matches_glob(name: str, pattern: str) -> bool:
    """Match a glob without ``re``: hooks ask this for every checked call."""
    first, *rest = pattern.split("*")
    if not rest:
        return name == pattern
    *middle, last = rest
    at = len(first)
    if not name.startswith(first) or len(name) < at + len(last) or not name.endswith(last):
        return False
    for piece in middle:
        found = name.find(piece, at, len(name) - len(last))
        if found < 0:
            return False
        at = found + len(piece)
    return True
