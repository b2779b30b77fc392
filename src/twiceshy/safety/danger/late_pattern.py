"""A pattern that is compiled when a text may match it: most texts of a hook match none."""

from __future__ import annotations

import re

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class LatePattern:
    """A pattern, with words of which a text must hold one for the pattern to match."""

    __slots__ = ("_compiled", "hints", "pattern")

    def __init__(self, pattern: str, hints: str = "") -> None:
        """Remember the pattern; ``hints`` are separated by bars, and none means any text."""
        self.pattern = pattern
        self.hints = tuple(filter(None, hints.split("|")))
        self._compiled: re.Pattern[str] | None = None

    @property
    def compiled(self) -> re.Pattern[str]:
        """Return the compiled pattern."""
        if self._compiled is None:
            self._compiled = re.compile(self.pattern)
        return self._compiled

    def may_match(self, text: str) -> bool:
        """False if the text has none of the words that each match has."""
        return not self.hints or any(hint in text for hint in self.hints)

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match, or nothing."""
        return self.compiled.search(text) if self.may_match(text) else None

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match at the start, or nothing."""
        return self.compiled.match(text) if self.may_match(text) else None

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Return the match of the whole text, or nothing."""
        return self.compiled.fullmatch(text)

    def findall(self, text: str) -> list[str]:
        """Return all matches."""
        return self.compiled.findall(text) if self.may_match(text) else []

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Yield all matches."""
        return self.compiled.finditer(text)

    def split(self, text: str) -> list[str]:
        """Return the parts between matches."""
        return self.compiled.split(text)

    def sub(self, by: str | Callable[[re.Match[str]], str], text: str) -> str:
        """Return the text with matches replaced."""
        return self.compiled.sub(by, text) if self.may_match(text) else text
