"""The Store port as commands need it: all that a hook asks for, and what keeps a store in order."""

from __future__ import annotations

from twiceshy.store.store import SqliteStore
from twiceshy.store.upkeep import Upkeep


class WholeStore(SqliteStore, Upkeep):
    """A store that can be tended as well; hooks do without, and need not load it."""
