"""Count the calls that lessons stopped, and the false stops among them."""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.core.outcome import Outcome

_CHANNEL = "stop"


class StopCounts(Value):
    """Stopped calls, those repeated by the agent, and repeated ones that worked: false stops."""

    stopped: int
    repeated: int
    false_stops: int


def count_stops(outcomes: Iterable[Outcome], *, since: int = 0) -> StopCounts:
    """Count the stops among outcomes since a moment."""
    stops = [
        one for one in outcomes if one.channel == _CHANNEL and not one.withheld and one.at >= since
    ]
    return StopCounts(
        stopped=len(stops),
        repeated=sum(one.violated or one.false_alarm for one in stops),
        false_stops=sum(one.false_alarm for one in stops),
    )


def describe_stops(found: StopCounts) -> str:
    """Describe the stops in a sentence; empty if there were none."""
    if not found.stopped:
        return ""
    return (
        f"lessons stopped {found.stopped:,} call{'s' * (found.stopped != 1)};"
        f" {found.repeated:,} repeated by the agent, {found.false_stops:,} of them worked"
        " (false stops)"
    )
