"""Where OpenCode keeps its sessions: all of them in one database, so that a transcript is a place in it.

``<database>#<session>`` is how we write that place.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

_NAME = "opencode"
_SUFFIX = ".db"
_MARK = "#"


def named(database: str, session: str) -> str:
    """Return how the transcript of a session is written."""
    return f"{database}{_MARK}{session}"


def parted(path: str) -> tuple[str, str]:
    """Return the database and the session that a transcript's path is made of."""
    database, _, session = path.rpartition(_MARK)
    return database, session


def wrote(path: str) -> bool:
    """Tell from its path whether a transcript is a session of OpenCode."""
    database, session = parted(path)
    return is_database(os.path.basename(database)) and bool(session) and "/" not in session


def is_database(name: str) -> bool:
    """Tell from its name whether a file is a database of OpenCode; builds under test have their own."""
    return name.startswith(_NAME) and name.endswith(_SUFFIX)


def database_of(environ: Mapping[str, str]) -> str:
    """Return the database that OpenCode writes in this environment; nothing if it keeps none."""
    home, data = environ.get("HOME", ""), environ.get("XDG_DATA_HOME", "")
    if not data and not home:
        return ""
    folder = os.path.join(data or os.path.join(home, ".local", "share"), _NAME)
    chosen = environ.get("OPENCODE_DB") or _NAME + _SUFFIX
    return "" if chosen == ":memory:" else os.path.join(folder, chosen)
