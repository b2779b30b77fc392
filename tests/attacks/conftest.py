"""Counts of attacks: each test counts what it tried, and a run over this folder prints one table."""

from collections import Counter
from pathlib import Path

import pytest
from tests.attacks.table import Row, render_table, replace_table
from tests.attacks.tally import ATTACK, BENIGN, Tally

_counted: dict[str, Counter[str]] = {}


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Tally:
    """The counts of one test."""
    return Tally(request.node)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--attack-table", metavar="FILE", help="write the counts of attacks into FILE"
    )


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up what a test counted; a worker passes it on to the process that prints."""
    if report.when != "call":
        return
    for what, told in report.user_properties:
        if what in (ATTACK, BENIGN) and isinstance(told, list):
            family, bad = told
            counts = _counted.setdefault(family, Counter())
            counts[what] += 1
            counts[f"bad {what}"] += bool(bad)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the table when attacks alone were run, or write it where the caller wants it."""
    goal = config.getoption("attack_table", default=None)
    if not goal or not _counted:
        return
    rows = [
        Row(name, c[ATTACK], c[f"bad {ATTACK}"], c[BENIGN], c[f"bad {BENIGN}"])
        for name, c in sorted(_counted.items())
    ]
    table = render_table(rows)
    terminalreporter.write_line(table)
    path = Path(goal)
    path.write_text(replace_table(path.read_text("utf-8"), table), "utf-8")
