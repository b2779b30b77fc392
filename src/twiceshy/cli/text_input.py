"""Read a longer text from arguments, stdin or a file."""

import os
import sys
from collections.abc import Sequence

import click

from twiceshy.core.errors import NoteError, NotFoundError
from twiceshy.notes.pages import MAX_CHARACTERS
from twiceshy.wording import worded

STDIN = "-"
_MEGABYTE = 1024 * 1024
_MOST_BYTES = 4 * MAX_CHARACTERS + 1  # more than any page may have, whatever its letters


def read_stdin() -> str:
    """Read stdin as text; invalid bytes become surrogates, rejected by the note check."""
    return sys.stdin.buffer.read().decode("utf-8", "surrogateescape")


def read_input(path: str, *, megabytes: int, give: str, too_large: str) -> bytes:
    """Read a file, or stdin for ``-``.

    ``give`` and ``too_large`` are the hints for an unreadable and a too large input.
    """
    most = megabytes * _MEGABYTE
    try:
        if path == STDIN:
            content = sys.stdin.buffer.read(most + 1)
        else:
            with open(os.path.expanduser(path), "rb") as file:
                content = file.read(most + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise NotFoundError(f"cannot read {path!r}: {reason}", hint=give) from error
    if len(content) > most:
        name = "stdin" if path == STDIN else path
        raise NoteError(f"{name} is larger than {megabytes} MiB", hint=too_large)
    return content


def read_text_argument(words: Sequence[str], file: str | None = None) -> str:
    """Return the text of a page or task from words, a file, or stdin (``-``).

    Words and a file exclude each other.
    """
    if file and words:
        raise click.UsageError("give the text, or --file, not both")
    if file and file != STDIN:
        return _read_file(file)
    if file == STDIN or tuple(words) == (STDIN,):
        return _decode_text(sys.stdin.buffer.read(_MOST_BYTES))
    return " ".join(words)


def _read_file(path: str) -> str:
    try:
        with open(path, "rb") as source:
            return _decode_text(source.read(_MOST_BYTES))
    except OSError as error:
        raise NotFoundError(
            worded("cannot read {path}: {reason}", path=path, reason=error.strerror),
            hint=worded("give the path of a Markdown file"),
        ) from error


def _decode_text(raw: bytes) -> str:
    if len(raw) >= _MOST_BYTES:
        raise NoteError(
            worded("the text has more than {most} bytes", most=f"{_MOST_BYTES - 1:,}"),
            hint=worded("split it by topic, and set one after the other"),
        )
    return raw.decode("utf-8", "surrogateescape")
