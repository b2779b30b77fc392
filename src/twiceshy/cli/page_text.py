"""Where a verb takes a longer text from: its arguments, stdin, or a file."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from twiceshy.core.errors import NoteError, NotFoundError
from twiceshy.notes.pages.condition import MAX_CHARACTERS
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Sequence

_STDIN = "-"
_MOST_BYTES = 4 * MAX_CHARACTERS + 1  # more than any page may have, whatever its letters


def given_text(words: Sequence[str], file: str | None = None) -> str:
    """Return the text; a file and words exclude each other, and - is stdin."""
    if file and words:
        raise click.UsageError("give the text, or --file, not both")
    if file and file != _STDIN:
        return _read(file)
    if file == _STDIN or tuple(words) == (_STDIN,):
        return _decoded(sys.stdin.buffer.read(_MOST_BYTES))
    return " ".join(words)


def _read(path: str) -> str:
    try:
        with open(path, "rb") as source:
            return _decoded(source.read(_MOST_BYTES))
    except OSError as error:
        raise NotFoundError(
            worded("cannot read {path}: {reason}", path=path, reason=error.strerror),
            hint=worded("give the path of a Markdown file"),
        ) from error


def _decoded(raw: bytes) -> str:
    if len(raw) >= _MOST_BYTES:
        raise NoteError(
            worded("the text has more than {most} bytes", most=f"{_MOST_BYTES - 1:,}"),
            hint=worded("split it by topic, and set one after the other"),
        )
    # unreadable bytes become surrogates, which the page's own check names as invalid UTF-8
    return raw.decode("utf-8", "surrogateescape")
