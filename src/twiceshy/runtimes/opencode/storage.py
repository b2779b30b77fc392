"""Read OpenCode's live database: never a change, never a long lock.

Rows are listed first and fetched one by one, so that no read transaction outlives a row.
"""

from __future__ import annotations

import os
from contextlib import closing, contextmanager

from twiceshy.core.errors import NotFoundError
from twiceshy.core.jsontext import parse_mapping_or_empty
from twiceshy.core.value import Value
from twiceshy.runtimes.opencode.payload import split_transcript_path

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from twiceshy.runtimes.records import Record

_PATIENCE = 1.0  # seconds; its writers are short
_DEEPEST = 16  # agents that are started by agents
_HINT = "OpenCode keeps its sessions in ~/.local/share/opencode; see: twiceshy config transcripts"

_SESSION = "SELECT id, parent_id, directory, time_created FROM session WHERE id = ?"
_MESSAGES = "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id"
_PARTS = "SELECT id, message_id, length(data) FROM part WHERE session_id = ? ORDER BY id"
_PART = "SELECT data FROM part WHERE id = ?"
_SIZE = "SELECT coalesce(sum(length(data)), 0) FROM part WHERE session_id = ?"
_ROOTS = "SELECT id FROM session WHERE parent_id IS NULL ORDER BY time_created, id"
_STARTED = "SELECT id FROM session WHERE parent_id = ? ORDER BY time_created, id"


class StoredSession(Value):
    """A session row: parent, directory, time."""

    id: str
    parent: str
    directory: str
    at: int


class Message(Value):
    """A message; words and calls are its parts."""

    id: str
    record: Record


class StoredPart(Value):
    """Location and size of a part."""

    id: str
    message: str
    size: int


class Storage:
    """A short-lived connection to a database."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def find_session(self, session: str) -> StoredSession | None:
        """Return a session; None if missing."""
        for name, parent, directory, at in self._select_rows(_SESSION, session):
            return StoredSession(
                _get_text(name), _get_text(parent), _get_text(directory), _get_number(at)
            )
        return None

    def find_root_session(self, session: StoredSession) -> str:
        """Return the root session, in which the user spoke."""
        for _ in range(_DEEPEST):
            above = self.find_session(session.parent) if session.parent else None
            if above is None:
                break
            session = above
        return session.id

    def list_messages(self, session: str) -> list[Message]:
        """Return the messages of a session, oldest first."""
        found = self._select_rows(_MESSAGES, session)
        return [
            Message(_get_text(name), parse_mapping_or_empty(_get_text(record)))
            for name, record in found
        ]

    def list_parts(self, session: str) -> list[StoredPart]:
        """Return part locations of a session, in order within a message."""
        found = self._select_rows(_PARTS, session)
        return [
            StoredPart(_get_text(name), _get_text(message), _get_number(size))
            for name, message, size in found
        ]

    def read_part(self, part: str) -> Record:
        """Return a part; empty if gone or no object."""
        return next(
            (
                parse_mapping_or_empty(_get_text(record))
                for (record,) in self._select_rows(_PART, part)
            ),
            {},
        )

    def session_size(self, session: str) -> int:
        """Return the size of a session."""
        return next((_get_number(size) for (size,) in self._select_rows(_SIZE, session)), 0)

    def list_sessions(self, parent: str = "") -> list[str]:
        """Return user sessions, or sessions started by a session; oldest first."""
        found = self._select_rows(_STARTED, parent) if parent else self._select_rows(_ROOTS)
        return [name for (name,) in found if isinstance(name, str)]

    def _select_rows(self, asked: str, *given: str) -> Iterator[tuple[object, ...]]:
        import sqlite3  # noqa: PLC0415 - only where a session is one of OpenCode's

        try:
            yield from self._connection.execute(asked, given).fetchall()
        except (sqlite3.Error, UnicodeError, OverflowError) as cause:
            raise NotFoundError("the database of OpenCode cannot be read", hint=_HINT) from cause


@contextmanager
def open_storage(path: str) -> Iterator[Storage]:
    """Open the database of a transcript, or a database, read-only."""
    import sqlite3  # noqa: PLC0415 - as above
    from urllib.parse import quote  # noqa: PLC0415 - no hook reads transcripts

    database = split_transcript_path(path)[0] or path
    if not os.path.isfile(database):
        raise NotFoundError("the database of OpenCode is not there", hint=_HINT)
    try:
        place = f"file:{quote(os.path.abspath(database))}?mode=ro"
        connection = sqlite3.connect(
            place, uri=True, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
        )
    except (sqlite3.Error, ValueError) as cause:
        raise NotFoundError("the database of OpenCode cannot be opened", hint=_HINT) from cause
    # half a character in one text must not make all others unreadable
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    with closing(connection):
        yield Storage(connection)


def _get_text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _get_number(value: object) -> int:
    return value if isinstance(value, int) else 0
