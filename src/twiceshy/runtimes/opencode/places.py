"""OpenCode transcript paths: ``<database>#<session>``, since one database holds every session."""

from __future__ import annotations

import os

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

_NAME = "opencode"
_SUFFIX = ".db"
_MARK = "#"


def transcript_path(database: str, session: str) -> str:
    """Return the transcript path of a session."""
    return f"{database}{_MARK}{session}"


def split_transcript_path(path: str) -> tuple[str, str]:
    """Split a transcript path into database and session."""
    database, _, session = path.rpartition(_MARK)
    return database, session


def owns_transcript(path: str) -> bool:
    """True if a path is an OpenCode transcript."""
    database, session = split_transcript_path(path)
    return is_database(os.path.basename(database)) and bool(session) and "/" not in session


def is_database(name: str) -> bool:
    """True if a file name is an OpenCode database; test builds have their own."""
    return name.startswith(_NAME) and name.endswith(_SUFFIX)


def find_database(environ: Mapping[str, str]) -> str:
    """Return OpenCode's database in this environment; empty if none."""
    home, data = environ.get("HOME", ""), environ.get("XDG_DATA_HOME", "")
    if not data and not home:
        return ""
    folder = os.path.join(data or os.path.join(home, ".local", "share"), _NAME)
    chosen = environ.get("OPENCODE_DB") or _NAME + _SUFFIX
    return "" if chosen == ":memory:" else os.path.join(folder, chosen)
