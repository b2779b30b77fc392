"""Count the calls that lessons stopped, and the false stops among them."""

from __future__ import annotations

from twiceshy.core.evidence import STOP
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.core.evidence import Exposure
    from twiceshy.core.outcome import Outcome


class StopCounts(Value):
    """Stopped calls, those repeated by the agent, and repeated ones that worked: false stops."""

    stopped: int
    repeated: int
    false_stops: int


def count_stops(
    outcomes: Iterable[Outcome], exposures: Iterable[Exposure] = (), *, since: int = 0
) -> StopCounts:
    """Count the stops since a moment, judged or not: some sessions leave nothing to judge by."""
    stops = [one for one in outcomes if _is_stop(one, since)]
    made = {one.key for one in stops} | {one.key for one in exposures if _is_stop(one, since)}
    return StopCounts(
        stopped=len(made),
        repeated=sum(one.violated or one.false_alarm for one in stops),
        false_stops=sum(one.false_alarm for one in stops),
    )


def _is_stop(one: Outcome | Exposure, since: int) -> bool:
    return one.channel == STOP and not one.withheld and one.at >= since


def describe_stops(found: StopCounts) -> str:
    """Describe the stops in a sentence; empty if there were none."""
    if not found.stopped:
        return ""
    return (
        f"lessons stopped {found.stopped:,} call{'s' * (found.stopped != 1)};"
        f" {found.repeated:,} repeated by the agent, {found.false_stops:,} of them worked"
        " (false stops)"
    )
