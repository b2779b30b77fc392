"""The stores that must keep the contract, each opened empty."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.store.support import Clock, a_store

from twiceshy.core.store import Store

Opener = Callable[[Path, Clock], Store]
OPENERS: dict[str, Opener] = {"sqlite": lambda home, clock: a_store(home, clock=clock)}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite"])
def opener(request: pytest.FixtureRequest) -> Opener:
    """One for each way there is to keep notes."""
    return OPENERS[request.param]


@pytest.fixture
def store(opener: Opener, home: Path, clock: Clock) -> Iterator[Store]:
    """An empty store."""
    with closing(opener(home, clock)) as opened:
        yield opened


@pytest.fixture
def another(opener: Opener) -> Callable[[], AbstractContextManager[Store]]:
    """Open an empty store as often as a property is tried."""

    @contextmanager
    def opened() -> Iterator[Store]:
        with TemporaryDirectory() as folder, closing(opener(Path(folder), Clock())) as store:
            yield store

    return opened
