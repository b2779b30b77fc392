"""Find transcript files, and read their first and last records."""

import os
from collections.abc import Callable, Iterable, Iterator

from twiceshy.core.errors import NotFoundError, UnsafeNameError
from twiceshy.core.value import Value
from twiceshy.runtimes.fields import read_last_lines
from twiceshy.runtimes.jsonl import open_plain_file
from twiceshy.runtimes.records import parse_line
from twiceshy.safety.names import check_session_id

SUFFIX = ".jsonl"
UNKNOWN_USE = (0, 0)  # of a context: used tokens, and those of the window
USUAL_WINDOW = 200_000
# The first that a model's name holds tells its window.
_WINDOWS = (
    ("[1m]", 1_000_000),
    ("-1m", 1_000_000),
    ("gemini", 1_048_576),
    ("gpt-4.1", 1_047_576),
    ("gpt-5", 272_000),
    ("gpt-4o", 128_000),
    ("deepseek", 128_000),
)
# What a session printed lies behind its last answer, and may be long.
_REACHES = (1 << 18, 1 << 22)


class TranscriptOpening(Value):
    """Facts in the first records of a transcript: sessions, start directory, and start time."""

    sessions: frozenset[str] = frozenset()
    cwd: str = ""
    at: str = ""


def read_first_records(path: str, within: int = 1 << 20) -> Iterator[dict[str, object]]:
    """Yield the first records of a file, without broken or overlong lines."""
    try:
        with open_plain_file(path, "") as file:
            while within > 0 and (line := file.readline(within)):
                within -= len(line)
                yield parse_line(line) or {}
    except (OSError, ValueError, NotFoundError):
        return


def read_last_records(path: str, *signs: bytes) -> Iterator[dict[str, object]]:
    """Yield records with one of these signs, last first, reading further back if needed."""
    for most in _REACHES:
        for line in reversed(read_last_lines(path, most)):
            if any(sign in line for sign in signs) and (record := parse_line(line)):
                yield record


def context_window_of(model: str) -> int:
    """Return the context window of a model in tokens, by its name."""
    folded = model.casefold()
    return next((window for part, window in _WINDOWS if part in folded), USUAL_WINDOW)


def list_folders(place: str) -> list[str]:
    """Return the folders in a folder, without links."""
    return [entry.path for entry in _list_entries(place) if entry.is_dir(follow_symlinks=False)]


def list_plain_files(folder: str, suffix: str = SUFFIX) -> list[str]:
    """Return the file names in a folder with a suffix, without links."""
    return [
        entry.name
        for entry in _list_entries(folder)
        if entry.name.endswith(suffix) and entry.is_file(follow_symlinks=False)
    ]


def sort_oldest_first(
    paths: Iterable[str], read_opening: Callable[[str], TranscriptOpening]
) -> list[str]:
    """Return transcripts by the start of their session, then by their last write.

    A fork begins with a copy, so it began when its parent did; but it is written later.
    """
    return sorted(paths, key=lambda path: (read_opening(path).at, modified_at(path), path))


def is_session_id(text: str) -> bool:
    """True if a text may be a session's id, safe as key and path."""
    try:
        return bool(check_session_id(text))
    except UnsafeNameError:
        return False


def transcript_size(path: str) -> int:
    """Return the current size of a transcript; -1 if gone."""
    try:
        return os.stat(path).st_size
    except OSError:
        return -1


def modified_at(path: str) -> int:
    """Return the modification time of a file; 0 if gone."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _list_entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except (OSError, ValueError):
        return []
