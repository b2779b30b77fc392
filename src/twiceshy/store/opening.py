"""Open a store as far as it lets us: whole, or for reading only, or not while another has it."""

from __future__ import annotations

import _sqlite3 as sqlite3
import os

from twiceshy.core.errors import BusyError, DamagedStoreError, NewerStoreError, StoreError
from twiceshy.core.value import Value
from twiceshy.store.connect import connect, connect_reading
from twiceshy.store.migrate import migrate
from twiceshy.store.place import identity, writable

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.store.connect import Patience


class Opened(Value):
    """A connection, which file it is to, and why nothing can be written, if that is so."""

    db: sqlite3.Connection
    file: tuple[int, int] = (0, 0)
    mended: bool = False
    refusal: StoreError | None = None


def open_file(path: str, patience: Patience, *, now: int) -> Opened:
    """Open, migrate and mend; a file that must not or cannot be written is opened for reading."""
    try:
        return _for_writing(path, patience, now=now)
    except NewerStoreError as error:
        return Opened(connect_reading(path, patience), refusal=error)
    except DamagedStoreError:
        raise
    except BusyError as error:
        if patience.retries:
            raise
        # a hook does not wait: it is told nothing, and what it captures goes to the spool
        return Opened(_stand_in(patience), refusal=error)
    except StoreError as error:
        if writable(path) or not os.path.isfile(path):
            raise
        return Opened(connect_reading(path, patience), refusal=error)


def opens(path: str, patience: Patience, *, now: int) -> bool:
    """Tell whether a file can be opened after all."""
    try:
        open_file(path, patience, now=now).db.close()
    except DamagedStoreError:
        return False
    return True


def _for_writing(path: str, patience: Patience, *, now: int) -> Opened:
    file = identity(path)  # from before: taken for another one in doubt, never for the same
    db = connect(path, patience)
    try:
        mended = migrate(db, path, patience, now=now)
    except BaseException:
        db.close()
        raise
    return Opened(db, file if any(file) else identity(path), mended)


def _stand_in(patience: Patience) -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None)
    migrate(db, ":memory:", patience, now=0)
    return db
