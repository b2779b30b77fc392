"""A clock that is years ahead deletes and retires nothing; days of use attest a time."""

import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.commands import run_command
from tests.contracts.test_upkeep import an_end
from tests.core.builders import NOW
from tests.requirements import requirement
from tests.sizes import sized
from tests.store.support import Clock, a_signal, learn, opened

from twiceshy.core.clock import ALLOWANCE
from twiceshy.core.moment import DAY, format_day, format_stamp
from twiceshy.core.session import Session as KnownSession
from twiceshy.store import device

TODAY = NOW // DAY * DAY + 200 * DAY
WEEKS = 5
# What a run writes about itself: its own changes, and when they were made.
_OF_THE_RUN = ("meta", "days", "leases", "maintenance_runs", "journal", "payloads", "authors")


@pytest.fixture(autouse=True)
def one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let copies of a home stay one device: archives are named after it."""
    monkeypatch.setattr(device, "identify_place", lambda _: "here")


def live(home: Path) -> None:
    """Use a memory home for weeks: sessions that end, signals, and notes that last for a while."""
    clock = Clock(TODAY - WEEKS * 7 * DAY)
    with opened(home, clock=clock) as store:
        for number in range(WEEKS * 7):
            seen = KnownSession(f"s{number}", "codex", "demo", "", "", clock.at, clock.at)
            end = an_end(number, days=(NOW - clock.at) / DAY)
            store.save_records(seen)
            store.capture(end, a_signal(f"k{number}", at=clock.at))
            learn(store, f"Issue {number} of {format_day(clock.at)}.", kind="issue")
            clock.wait(DAY)
    (home / "bug-report-x.md").write_text("x")
    os.utime(home / "bug-report-x.md", (TODAY / 1000, TODAY / 1000))


def run_upkeep(home: Path, now: int) -> str:
    """Tend a home at a time; return what was done."""
    env = {"TWICESHY_HOME": str(home), "TWICESHY_NOW": format_stamp(now)}
    assert run_command("config", "set", "expiry.days.issue", "40", cwd=home, env=env).code == 0
    steps = ("--only", "retire", "--only", "expire", "--only", "compress")
    done = run_command("tend", *steps, cwd=home, env=env)
    assert done.code == 0, done.err
    return done.out


def contents(home: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows that upkeep may delete or retire, without those about itself."""
    with closing(sqlite3.connect(home / "twiceshy.db")) as db:
        made = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'words%'"
        tables = [name for (name,) in db.execute(made).fetchall() if name not in _OF_THE_RUN]
        return {
            table: sorted(db.execute(f"SELECT * FROM {table}").fetchall(), key=repr)
            for table in tables
        } | {"files": [(name,) for name in sorted(os.listdir(home)) if "twiceshy.db" not in name]}


def count_issues(home: Path) -> int:
    """Count the issues that did not expire."""
    issues = [row for row in contents(home)["notes"] if "Issue" in str(row)]
    return sum("retired" not in row for row in issues)


def learned(home: Path) -> list[int]:
    """Return when each issue was learned."""
    with closing(sqlite3.connect(home / "twiceshy.db")) as db:
        return [at for (at,) in db.execute("SELECT learned_at FROM notes")]


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory home that was used for weeks, every day until yesterday."""
    home = tmp_path_factory.mktemp("lived") / "home"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(device, "identify_place", lambda _: "here")
        live(home)
    return home


ATTESTED = TODAY  # the end of yesterday, the newest day of use


@requirement("T240")
@settings(max_examples=sized(4, 40))
@given(st.integers(1, 60 * 365 * DAY))
def test_a_clock_ahead_deletes_and_retires_what_is_due_at_the_attested_time_and_no_more(
    tmp_path_factory: pytest.TempPathFactory, lived: Path, ahead: int
) -> None:
    folder = tmp_path_factory.mktemp("copies")
    right, late = (shutil.copytree(lived, folder / name) for name in "ab")
    run_upkeep(right, ATTESTED)

    run_upkeep(late, ATTESTED + ALLOWANCE + ahead)

    assert contents(late) == contents(right)
    assert len(contents(late)["episodes"]) > 20


@requirement("T240")
@settings(max_examples=sized(4, 40))
@given(st.integers(0, ALLOWANCE))
def test_a_clock_that_is_right_counts_all_ages(
    tmp_path_factory: pytest.TempPathFactory, lived: Path, later: int
) -> None:
    home = shutil.copytree(lived, tmp_path_factory.mktemp("copies") / "a")
    now = ATTESTED + later
    due = sum(at <= now - 40 * DAY for at in learned(home))

    run_upkeep(home, now)

    assert WEEKS * 7 - count_issues(home) == due


@requirement("T240")
def test_the_doctor_says_that_the_clock_looks_wrong(lived: Path, tmp_path: Path) -> None:
    home = shutil.copytree(lived, tmp_path / "copy")

    def examine(now: int) -> tuple[str, str]:
        env = {"TWICESHY_HOME": str(home), "TWICESHY_NOW": format_stamp(now)}
        done = run_command("doctor", "--json", cwd=home, env=env)
        [clock] = [one for one in json.loads(done.out) if one["what"] == "clock"]
        return clock["verdict"], clock["message"]

    assert examine(TODAY)[0] == "ok"
    verdict, message = examine(TODAY + 4_000 * DAY)
    assert verdict == "warning"
    assert format_day(TODAY + 4_000 * DAY) in message


@requirement("T241")
def test_after_a_holiday_ages_count_again_after_three_days_of_use(
    lived: Path, tmp_path: Path
) -> None:
    home = shutil.copytree(lived, tmp_path / "copy")
    back = TODAY + 150 * DAY

    kept = []
    for day in range(4):
        env = {"TWICESHY_HOME": str(home), "TWICESHY_NOW": format_stamp(back + day * DAY)}
        assert run_command("note", f"Back since {day}.", cwd=home, env=env).code == 0
        run_upkeep(home, back + day * DAY)
        kept.append(count_issues(home))

    assert kept[:2] == [WEEKS * 7] * 2
    assert kept[2:] == [0, 0]


@requirement("T240", "T241")
def test_a_clock_that_is_years_ahead_for_days_expires_nothing_until_two_weeks_attest_it(
    lived: Path, tmp_path: Path
) -> None:
    home = shutil.copytree(lived, tmp_path / "copy")
    ahead = TODAY + 5 * 365 * DAY
    before = count_issues(home)

    kept = []
    for day in range(14):
        env = {"TWICESHY_HOME": str(home), "TWICESHY_NOW": format_stamp(ahead + day * DAY)}
        assert run_command("note", f"Work of {day}.", cwd=home, env=env).code == 0
        if day in (2, 12, 13):
            run_upkeep(home, ahead + day * DAY)
            kept.append(count_issues(home))

    assert kept == [before, before, 0]


@requirement("T240")
def test_a_clock_that_was_wrong_for_a_day_attests_nothing_afterwards(
    lived: Path, tmp_path: Path
) -> None:
    home = shutil.copytree(lived, tmp_path / "copy")
    for day in range(2):
        run_upkeep(home, TODAY + 9_000 * DAY + day * DAY)
    run_upkeep(home, TODAY + DAY)

    run_upkeep(home, TODAY + 9_002 * DAY)

    assert count_issues(home) == WEEKS * 7
