"""Edits in files of a client: inserted once, removed without a trace.

Another form of edit is a class with the same members.
"""

from __future__ import annotations

from contextlib import contextmanager

from twiceshy.core.errors import ConfigError
from twiceshy.core.value import Value
from twiceshy.files.json_edit import get_value, parse_document, remove_member, set_member
from twiceshy.runtimes.plan import read_bytes

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol, Self

    from twiceshy.files.json_edit import Path

    class ClientEdit(Protocol):
        """An edit of a client's file, text in and text out.

        ConfigError gives the reason of a refusal; the caller adds the file name.
        """

        @property
        def path(self) -> str:
            """Return the path of the file."""

        def insert_into(self, text: str) -> str:
            """Return the text with our lines; unchanged if present."""

        def remove_from(self, text: str, before: str) -> str:
            """Return the text without our lines; ``before`` is the known text before them."""

        def is_blank(self, text: str) -> bool:
            """True if the text is blank, so that a file made by us may go."""

        def but(self, *, path: str) -> Self:
            """Return the same edit for another folder."""


_FIRST = "correct it first; nothing was written"


class JsonMembers(Value):
    """JSON object members at their paths, in insertion order."""

    path: str
    members: tuple[tuple[Path, object], ...]

    def insert_into(self, text: str) -> str:
        """Return the text with our members."""
        for place, value in self.members:
            text = set_member(text, place, value)
        return text

    def remove_from(self, text: str, before: str) -> str:
        """Return the text without our members; emptied parents go, unless present before."""
        for place, _ in reversed(self.members):
            text = remove_member(text, place)
            for depth in range(len(place) - 1, 0, -1):
                outer = place[:depth]
                if get_value(text, outer) == {} and get_value(before, outer) is None:
                    text = remove_member(text, outer)
        return text

    def is_blank(self, text: str) -> bool:
        """True for an object without members."""
        return not parse_document(text)


class NotedEdit(JsonMembers):
    """Members set by the client itself; removed, never inserted, by us."""

    def insert_into(self, text: str) -> str:
        """Return the text unchanged."""
        return text


class MarkedBlock(Value):
    """Lines between two marks in a text written by people."""

    path: str
    lines: str
    begin: str = "<!-- twiceshy: begin -->"
    end: str = "<!-- twiceshy: end -->"

    def insert_into(self, text: str) -> str:
        """Return the text with our lines at the end, or in their old place."""
        block = f"{self.begin}\n{self.lines.strip()}\n{self.end}"
        head, found, tail = self._split_block(text)
        if found:
            return f"{head}{block}{tail}"
        gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        return f"{text}{gap}{block}\n"

    def remove_from(self, text: str, before: str) -> str:
        """Return the text without our lines and the blank line before."""
        head, found, tail = self._split_block(text)
        if not found:
            return text
        rest = tail.removeprefix("\n")
        if before and not rest and before.rstrip("\n") == head.rstrip("\n"):
            return before
        return head.removesuffix("\n" if head.endswith("\n\n") else "") + rest

    def is_blank(self, text: str) -> bool:
        """True if blank."""
        return not text.strip()

    def _split_block(self, text: str) -> tuple[str, bool, str]:
        head, begun, rest = text.rpartition(self.begin)
        _, ended, tail = rest.partition(self.end)
        return (head, True, tail) if begun and ended else (text, False, "")


def read_client_file(path: str, content: bytes | None) -> str:
    """Return a client's file as text; ConfigError names the file."""
    try:
        return (content or b"").decode()
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 text", hint=_FIRST) from error


def load_client_file(path: str) -> str:
    """Load a client's file as text; empty if missing."""
    return read_client_file(path, read_bytes(path))


@contextmanager
def name_file(path: str) -> Iterator[None]:
    """Name a client's file in every ConfigError about its content."""
    try:
        yield
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}", hint=error.hint or _FIRST) from error


def insert_edit(edit: ClientEdit, text: str) -> str:
    """Return the text with our lines; ConfigError names the file."""
    with name_file(edit.path):
        return edit.insert_into(text)


def remove_edit(edit: ClientEdit, text: str, before: str) -> str:
    """Return the text without our lines; ConfigError names the file."""
    with name_file(edit.path):
        return edit.remove_from(text, before)
