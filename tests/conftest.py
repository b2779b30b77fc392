"""Fixtures shared by every test."""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from tests.processes import end_jobs, wait_for_jobs
from tests.sizes import SOAK
from tests.store.support import Clock, a_store, app_of

from twiceshy.app import App
from twiceshy.notes.person import person_confirmed
from twiceshy.runtimes.callers import AGENT_MARKS
from twiceshy.store.command_store import WholeStore

settings.register_profile(
    "house",
    deadline=None,  # machines are noisy; a slow example is not a wrong one
    derandomize=True,  # the same change has the same verdict; `make soak` hunts, 50 times as long
    max_examples=20,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile(
    "soak", settings.get_profile("house"), derandomize=False, max_examples=40
)
settings.load_profile("soak" if SOAK else "house")
if not SOAK:
    # Hypothesis also tries the constants of all modules that are loaded by then: then the verdict
    # on a test would depend on the tests before it, and each kind of text costs 30,000 checks.
    providers._get_local_constants = lambda: providers._local_constants
MORE = 50  # times the examples of each property, when they soak


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shuffle", metavar="SEED", help="run files, and tests in them, shuffled")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle what was collected, and give properties more examples, if that is asked for."""
    if seed := config.getoption("shuffle"):
        dice = random.Random(seed)
        files = sorted({item.path for item in items})
        dice.shuffle(files)
        dice.shuffle(items)
        items.sort(key=lambda item: files.index(item.path))
    if SOAK:
        _give_more_examples(items)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run that leaves a process behind; each test has its home below one folder."""
    if hasattr(session.config, "workerinput"):
        return  # the tests of others may still run
    folder = session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]  # pytest has no public name for it
    if left := wait_for_jobs(folder, seconds=60):
        end_jobs(left)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        sys.stderr.write(f"\nthe tests left {len(left)} background jobs: {left}\n")


def _give_more_examples(items: list[pytest.Item]) -> None:
    for test in {item.function for item in items if isinstance(item, pytest.Function)}:
        if how := getattr(test, "_hypothesis_internal_use_settings", None):
            wanted = settings(how, max_examples=how.max_examples * MORE)
            test._hypothesis_internal_use_settings = wanted


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has its own home; nobody's real one is touched, nor their variables."""
    user = tmp_path / "user"
    user.mkdir()
    for name in list(os.environ):
        if name in AGENT_MARKS or name.startswith(
            (
                "TWICESHY_",
                "AI_MEMORY_",
                "SKILLS_",
                "CLAUDE",
                "CODEX_",
                "OPENAI_",
                "GEMINI_",
                "PI_",
                "OPENCODE",
            )
        ):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(user))
    monkeypatch.setenv("TWICESHY_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return tmp_path / "home"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte, where we are allowed to have one."""
    place = tmp_path / "small"
    place.mkdir()
    mount = shutil.which("mount")
    asked = [str(mount), "-t", "tmpfs", "-o", "size=1m,mode=0700", "tmpfs", str(place)]
    if mount is None or subprocess.run(asked, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a disk of one megabyte, and not everywhere")
    yield place
    wait_for_jobs(tmp_path, seconds=60)  # they have files open there
    subprocess.run(["umount", str(place)], check=True)


@pytest.fixture
def person() -> Iterator[None]:
    """A person who confirmed what a test does; that one is asked is tested where commands are."""
    with person_confirmed():
        yield


@pytest.fixture
def clock() -> Clock:
    """A clock that the test can move."""
    return Clock()


@pytest.fixture
def store(home: Path, clock: Clock) -> Iterator[WholeStore]:
    """An empty store in the test's own home."""
    opened_store = a_store(home, clock=clock)
    yield opened_store
    opened_store.close()


@pytest.fixture
def app(store: WholeStore) -> App:
    """An App over the test's own store, with default settings."""
    return app_of(store)
