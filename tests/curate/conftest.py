"""A store of its own for every test, and a clock that the test can move."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.stores.support import Clock, a_store

from twiceshy.stores.sqlite.store import SqliteStore


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(home: Path, clock: Clock) -> Iterator[SqliteStore]:
    opened_store = a_store(home, clock=clock)
    yield opened_store
    opened_store.close()
