"""The stores that must keep the contract, each opened empty."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.stores.support import Clock, a_store

from twiceshy.core.ports import Store


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite"])
def store(request: pytest.FixtureRequest, home: Path, clock: Clock) -> Iterator[Store]:
    """An empty store; one for each way there is to keep notes."""
    opened = {"sqlite": a_store}[request.param](home, clock=clock)
    yield opened
    opened.close()
