"""When maintenance is due by itself."""

import pytest
from tools.tables import LIFETIMES

from twiceshy.core.maintenance import (
    KEPT_RUNS,
    LEASE_S,
    Lease,
    MaintenanceRun,
    MaintenanceSettings,
    is_lease_free,
    is_maintenance_due,
)
from twiceshy.core.moment import DAY, SECOND

NOW = 1_000 * DAY
HOUR = 3_600 * SECOND
NEVER = MaintenanceSettings()
DAILY = MaintenanceSettings(every_days=1)
AFTER = MaintenanceSettings(after_sessions=True)


def a_run(ago: int, *, ended: bool = True) -> MaintenanceRun:
    return MaintenanceRun(1, "tend", NOW - ago, NOW - ago + 1 if ended else 0, "{}", "")


@pytest.mark.parametrize(
    ("wish", "ago", "over", "expected"),
    [
        (NEVER, None, True, False),
        (NEVER, 900 * DAY, True, False),
        (DAILY, None, False, True),
        (DAILY, DAY, False, True),
        (DAILY, DAY - 1, True, False),
        (AFTER, None, True, True),
        (AFTER, None, False, False),
        (AFTER, HOUR, True, True),
        (AFTER, HOUR - 1, True, False),
        (AFTER, 9 * DAY, False, False),
        (MaintenanceSettings(after_sessions=True, every_days=7), 2 * HOUR, True, True),
        (MaintenanceSettings(after_sessions=True, every_days=7), 7 * DAY, False, True),
    ],
)
def test_maintenance_is_due_when_somebody_wished_for_it(
    wish: MaintenanceSettings, ago: int | None, over: bool, expected: bool
) -> None:
    runs = [] if ago is None else [a_run(ago)]

    assert is_maintenance_due(runs, wish, over=over, now=NOW) is expected


def test_a_run_that_was_killed_is_not_tried_again_all_day() -> None:
    assert not is_maintenance_due([a_run(HOUR, ended=False)], DAILY, over=True, now=NOW)
    assert is_maintenance_due([a_run(DAY, ended=False)], DAILY, over=True, now=NOW)


def test_a_run_of_a_clock_gone_wrong_puts_nothing_off() -> None:
    assert is_maintenance_due([a_run(-900 * DAY)], DAILY, over=False, now=NOW)


def test_a_lease_is_free_when_it_is_ours_over_or_makes_no_sense() -> None:
    assert is_lease_free(None, "me", now=NOW)
    assert is_lease_free(Lease("me", NOW + 5), "me", now=NOW)
    assert is_lease_free(Lease("you", NOW), "me", now=NOW)
    assert not is_lease_free(Lease("you", NOW + 1), "me", now=NOW)
    assert is_lease_free(Lease("you", NOW + 2 * DAY), "me", now=NOW)
    assert not is_lease_free(Lease("you", NOW + DAY), "me", now=NOW)
    assert is_lease_free(Lease("you", NOW + DAY + 1), "me", now=NOW)


def test_a_run_that_begins_at_this_moment_is_one() -> None:
    assert not is_maintenance_due([a_run(0)], DAILY, over=True, now=NOW)


def test_a_step_has_five_minutes_and_a_hundred_runs_can_be_read() -> None:
    assert (LEASE_S, KEPT_RUNS) == (300, 100)
    assert "the newest hundred" in LIFETIMES["maintenance_runs"]
