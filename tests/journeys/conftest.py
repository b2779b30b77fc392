"""A lab for every journey that asks for one, and a word on how well it was cut off."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.journeys.lab.bench import Lab
from tests.journeys.lab.claude_code import ClaudeCode
from tests.journeys.lab.clients import PI
from tests.journeys.lab.codex import Codex
from tests.journeys.lab.gemini import Gemini
from tests.journeys.lab.opencode import OpenCode
from tests.journeys.lab.pi import Pi
from tests.journeys.lab.presence import here

OPEN: set[str] = set()


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    """A home of its own, with a scripted model and nothing else to talk to."""
    made = Lab(tmp_path / "lab")
    if made.loopback.why_open:
        OPEN.add(made.loopback.why_open)
    yield made
    made.close()


@pytest.fixture
def claude(lab: Lab) -> ClaudeCode:
    """Claude Code in the lab's home. Clients that are asked for together share that home."""
    return here(lambda: ClaudeCode(lab))


@pytest.fixture
def codex(lab: Lab) -> Codex:
    """Codex in the lab's home, its hooks trusted."""
    return here(lambda: Codex(lab))


@pytest.fixture
def opencode(lab: Lab) -> OpenCode:
    """OpenCode in the lab's home."""
    return here(lambda: OpenCode(lab))


@pytest.fixture(params=sorted(PI))
def pi(lab: Lab, request: pytest.FixtureRequest) -> Pi:
    """Pi in the lab's home, once under its old name and once under its new one."""
    return here(lambda: Pi(lab, request.param))


@pytest.fixture
def gemini(lab: Lab) -> Gemini:
    """Gemini CLI in the lab's home."""
    return here(lambda: Gemini(lab))


@pytest.fixture
def connected(claude: ClaudeCode) -> ClaudeCode:
    """Claude Code after ``twiceshy install``."""
    claude.lab.twiceshy("install", "claude-code", "--yes")
    return claude


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say so when clients were kept off the network by their settings alone."""
    for why in sorted(OPEN):
        terminalreporter.write_line(f"journeys: no network namespace ({why}); settings only")
