"""A lab for every journey that asks for one, and a word on how well it was cut off."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.journeys.lab.anthropic import Anthropic
from tests.journeys.lab.bench import Lab
from tests.journeys.lab.claude_code import ClaudeCode

OPEN: set[str] = set()


@pytest.fixture
def claude(tmp_path: Path) -> Iterator[ClaudeCode]:
    """Claude Code in a home of its own, with a scripted model and nothing else to talk to."""
    lab = Lab(tmp_path / "lab", Anthropic())
    if lab.loopback.why_open:
        OPEN.add(lab.loopback.why_open)
    yield ClaudeCode(lab)
    lab.close()


@pytest.fixture
def connected(claude: ClaudeCode) -> ClaudeCode:
    """Claude Code after ``twiceshy install``."""
    claude.lab.twiceshy("install", "claude-code", "--yes")
    return claude


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say so when clients were kept off the network by their settings alone."""
    for why in sorted(OPEN):
        terminalreporter.write_line(f"journeys: no network namespace ({why}); settings only")
