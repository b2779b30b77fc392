"""Lines of ours in a file that belongs to somebody else: put in once, taken out without a trace.

Whoever needs another form writes a class with the same members.
"""

from __future__ import annotations

from twiceshy.core.errors import ConfigError
from twiceshy.core.value import Value
from twiceshy.files.json_edit import document, value_at, with_member, without_member

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Protocol, Self

    from twiceshy.files.json_edit import Path

    class Edit(Protocol):
        """What an install does to a file of the client, as text in and text out.

        ConfigError says why it cannot be done; who calls adds the name of the file.
        """

        @property
        def path(self) -> str:
            """Return which file it is."""

        def put(self, text: str) -> str:
            """Return the text with our lines; the same text if they are in it."""

        def take(self, text: str, before: str) -> str:
            """Return the text without our lines; ``before`` is what it was without them, if known."""

        def empty(self, text: str) -> bool:
            """Tell whether the text says nothing, so that a file we made may go."""

        def but(self, *, path: str) -> Self:
            """Return the same edit for the same file in another folder."""


_FIRST = "correct it first; nothing was written"


class Members(Value):
    """Members of a JSON object, each at its path; the order is the order in which they are set."""

    path: str
    members: tuple[tuple[Path, object], ...]

    def put(self, text: str) -> str:
        """Return the text with our members."""
        for place, value in self.members:
            text = with_member(text, place, value)
        return text

    def take(self, text: str, before: str) -> str:
        """Return the text without them; what held only them goes, unless it was there before."""
        for place, _ in reversed(self.members):
            text = without_member(text, place)
            for depth in range(len(place) - 1, 0, -1):
                outer = place[:depth]
                if value_at(text, outer) == {} and value_at(before, outer) is None:
                    text = without_member(text, outer)
        return text

    def empty(self, text: str) -> bool:
        """Tell whether it is an object without members."""
        return not document(text)


class Noted(Members):
    """Members that the client sets by itself once it has met us; ours to take out, not to put in."""

    def put(self, text: str) -> str:
        """Leave it to the client."""
        return text


class Block(Value):
    """Some lines between two marks, in a text that people write."""

    path: str
    lines: str
    begin: str = "<!-- twiceshy: begin -->"
    end: str = "<!-- twiceshy: end -->"

    def put(self, text: str) -> str:
        """Return the text with our lines at the end, or where they were."""
        block = f"{self.begin}\n{self.lines.strip()}\n{self.end}"
        head, found, tail = self._parts(text)
        if found:
            return f"{head}{block}{tail}"
        gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        return f"{text}{gap}{block}\n"

    def take(self, text: str, before: str) -> str:
        """Return the text without our lines and the blank line before them."""
        head, found, tail = self._parts(text)
        if not found:
            return text
        rest = tail.removeprefix("\n")
        if before and not rest and before.rstrip("\n") == head.rstrip("\n"):
            return before
        return head.removesuffix("\n" if head.endswith("\n\n") else "") + rest

    def empty(self, text: str) -> bool:
        """Tell whether there is nothing but blanks."""
        return not text.strip()

    def _parts(self, text: str) -> tuple[str, bool, str]:
        head, begun, rest = text.rpartition(self.begin)
        _, ended, tail = rest.partition(self.end)
        return (head, True, tail) if begun and ended else (text, False, "")


def text_of(path: str, content: bytes | None) -> str:
    """Return a file of the client as text; ConfigError names the file."""
    try:
        return (content or b"").decode()
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 text", hint=_FIRST) from error


def put_into(edit: Edit, text: str) -> str:
    """Return the text with our lines; ConfigError names the file."""
    try:
        return edit.put(text)
    except ConfigError as error:
        raise ConfigError(f"{edit.path}: {error}", hint=error.hint or _FIRST) from error


def taken(edit: Edit, text: str, before: str) -> str:
    """Return the text without our lines; ConfigError names the file."""
    try:
        return edit.take(text, before)
    except ConfigError as error:
        raise ConfigError(f"{edit.path}: {error}", hint=error.hint or _FIRST) from error
