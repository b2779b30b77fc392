"""Schedule of maintenance, its lease, and the record of each run."""

from __future__ import annotations

from twiceshy.core.moment import DAY, SECOND
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

TEND = "tend"  # the name of its lease and of its runs
KEPT_RUNS = 100
# After a merge two sessions may have taught one note, so notes are believed only then; and what is
# believed too early is doubted in the same run.
STEPS = ("merge", "promote", "retire", "expire", "embed", "compress", "copy", "health")
LEASE_S = 300  # renewed before every step; whoever was killed is waited for no longer
_LONGEST_LEASE = DAY  # nobody takes one for longer: such a date was written by a clock gone wrong
_PAUSE = 3_600 * SECOND  # sessions may end every minute


class Lease(Value):
    """Holder and end of an exclusive piece of work."""

    holder: str
    until: int


class MaintenanceRun(Value):
    """A run of maintenance; ``ended_at`` is 0 while running, and after a crash."""

    id: int
    what: str
    began_at: int
    ended_at: int
    done: str  # JSON
    error: str


class MaintenanceSettings(Value):
    """Settings for automatic maintenance; the defaults mean never."""

    after_sessions: bool = False
    every_days: int = 0


def is_lease_free(lease: Lease | None, holder: str, *, now: int) -> bool:
    """True if a holder may take a lease: own, expired or invalid."""
    if lease is None or lease.holder == holder:
        return True
    return not now < lease.until <= now + _LONGEST_LEASE


def is_maintenance_due(
    runs: Sequence[MaintenanceRun], wish: MaintenanceSettings, *, over: bool, now: int
) -> bool:
    """True if automatic maintenance is due; ``over`` marks the end of a session.

    Failed or killed runs are retried on the same schedule, not all day long.
    """
    last = max((run.began_at for run in runs if run.began_at <= now), default=None)
    if last is None:
        return bool(wish.every_days) or (wish.after_sessions and over)
    if wish.every_days and now - last >= wish.every_days * DAY:
        return True
    return wish.after_sessions and over and now - last >= _PAUSE
