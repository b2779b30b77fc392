"""A simulated year in a few weeks: what piles up by itself stays as large as it was."""

from pathlib import Path

import pytest
from bench.year import count_rows, render
from bench.year_sessions import SimulatedYear, YearHome
from tests.requirements import requirement
from tests.sizes import sized
from tools.tables import LIFETIMES

from twiceshy.core.moment import DAY, parse_day
from twiceshy.effect.measure import measure_effect

BEGIN = parse_day("2026-01-05")
WINDOW = 4  # days of single outcomes; the other lifetimes are no longer
SETTINGS = f"""
[retention]
showings_days = {WINDOW}
evidence_days = {2 * WINDOW}
archive_days = {WINDOW}
archive_months = 1
state_days = 1
sessions = 5
"""
# Whatever the settings say, calls are known for 90 days, days of use become months, and the newest hundred
# runs stay. The history of notes stays for ever, because `undo` and other devices read it.
_LONGER = {"seen_calls", "skill_usage", "maintenance_runs", "journal", "payloads"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a memory home whose lifetimes are short."""
    home = tmp_path / "memory"
    home.mkdir()
    (home / "config.toml").write_text(SETTINGS)
    for name, value in (("HOME", tmp_path), ("TWICESHY_HOME", home)):
        monkeypatch.setenv(name, str(value))
    monkeypatch.setenv("TWICESHY_NOW", "2026-01-05T00:00:00Z")
    return tmp_path


@requirement("T163")
def test_nothing_that_piles_up_by_itself_grows_behind_its_window(folder: Path) -> None:
    early, late, a_day = 42, 84, sized(2, 6)  # the same day of the week
    counts, shown = {}, {}
    with YearHome(str(folder)) as home:
        year = SimulatedYear(home, str(folder), 2)
        for day in range(1, late + 1):
            year.live_day(BEGIN + day * DAY, a_day)
            if day in (early, late):
                counts[day] = count_rows(home.app.config.store)
                shown[day] = measure_effect(home.store.list_outcomes()).shown
        assert home.faults == []

    notes = counts[late]["notes"] / counts[early]["notes"]
    for table in LIFETIMES.keys() - _LONGER - {"outcome_sums"}:
        before, after = counts[early].get(table, 0), counts[late].get(table, 0)
        assert after <= max(1.0, notes) * 1.1 * before + 5, (table, before, after)
    assert shown[late] > 1.5 * shown[early], "what was shown before is not forgotten"
    assert 0 < counts[late]["outcome_sums"] < shown[late] / 2


def test_figures_are_told_by_name() -> None:
    assert render(30, {"kilobytes": 7}) == "after day 30\n  kilobytes: 7\n"
