"""Devices that share a repository on the disk."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.core.builders import NOW
from tests.store.support import Clock, opened
from tests.sync.support import bare, cloned, introduce

from twiceshy.store.command_store import WholeStore
from twiceshy.sync.repository import GitRepository

Device = tuple[WholeStore, GitRepository]
Opened = Callable[..., Device]


@pytest.fixture
def remote(tmp_path: Path) -> str:
    return bare(tmp_path / "remote.git")


@pytest.fixture
def a_device(tmp_path: Path, remote: str) -> Iterator[Opened]:
    """Open stores, each on a device with a clock and a clone of its own; all know each other."""
    homes: dict[Path, None] = {}
    with ExitStack() as stack:

        def call(name: str, *, at: int = NOW) -> Device:
            store = stack.enter_context(opened(tmp_path / name, clock=Clock(at)))
            homes[tmp_path / name] = None
            introduce(*homes)
            return store, cloned(tmp_path / name, remote)

        yield call
