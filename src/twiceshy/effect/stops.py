"""Count the calls that lessons stopped, and the false stops among them."""

from __future__ import annotations

from twiceshy.core.evidence import ASKED, PASSED, STOP, identify_call
from twiceshy.core.outcome_sum import SummedOutcome
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.app import App
    from twiceshy.core.evidence import Exposure
    from twiceshy.core.outcome import Outcome

_MOST_ERRORS = 2_000  # of the sessions with a stop


class StopCounts(Value):
    """Stopped calls, those repeated by the agent, and repeated ones that worked: false stops.

    Of ``unknown`` ones of the repeated it is not known whether they worked.
    """

    stopped: int
    repeated: int
    false_stops: int
    unknown: int = 0


class _CallMoment(Value):
    """A call that came through a hook: its session, identity and time."""

    session: str
    call: str
    at: int

    def is_behind(self, stop: Exposure) -> bool:
        """True if this is a later call, equal to a stopped one."""
        is_same = self.session == stop.session and self.call == stop.key.rpartition("/")[2]
        return is_same and self.at >= stop.at


def count_stops(
    app: App, outcomes: Iterable[Outcome], exposures: Iterable[Exposure], *, since: int = 0
) -> StopCounts:
    """Count the stops since a moment, judged or not.

    Where nothing is left to judge by, hooks saw that a call was repeated, and perhaps that it failed.
    """
    outcomes = list(outcomes)
    judged = {one.key: one for one in outcomes if _is_stop(one, since)}
    summed = [one for one in outcomes if isinstance(one, SummedOutcome) and one.at >= since]
    made = {one.key: one for one in exposures if _is_stop(one, since)}
    known = {key for key, one in judged.items() if one.violated or one.false_alarm}
    open_stops = [one for key, one in made.items() if key not in known]
    passed, failed = _list_passed_calls(app), _list_failed_calls(app, open_stops)
    seen = [one for one in open_stops if any(call.is_behind(one) for call in passed)]
    return StopCounts(
        stopped=len(judged.keys() | made.keys()) + sum(one.stops for one in summed),
        repeated=len(known) + len(seen) + sum(one.repeated for one in summed),
        false_stops=sum(one.false_alarm for one in judged.values())
        + sum(one.false_stops for one in summed),
        unknown=sum(not any(call.is_behind(one) for call in failed) for one in seen),
    )


def _list_passed_calls(app: App) -> list[_CallMoment]:
    """Return the calls that came through a hook and could have been stopped."""
    return [
        _CallMoment(one.session, one.key.split("/")[-2], one.at)
        for one in app.store.list_exposures(channel=PASSED)
        if not one.key.endswith(ASKED)
    ]


def _list_failed_calls(app: App, stops: Iterable[Exposure]) -> list[_CallMoment]:
    sessions = sorted({one.session for one in stops})
    if not sessions:
        return []
    errors = app.store.list_signals(sessions=sessions, limit=_MOST_ERRORS)
    return [
        _CallMoment(one.session, identify_call(one.tool, one.target), one.at)
        for one in errors
        if one.kind == "error" and one.excerpt
    ]


def _is_stop(one: Outcome | Exposure, since: int) -> bool:
    return one.channel == STOP and not one.withheld and one.at >= since


def describe_stops(found: StopCounts) -> str:
    """Describe the stops in a sentence; empty if there were none."""
    if not found.stopped:
        return ""
    unknown = f"; of {found.unknown:,} it is not known" if found.unknown else ""
    return (
        f"lessons stopped {found.stopped:,} call{'s' * (found.stopped != 1)};"
        f" {found.repeated:,} repeated by the agent, {found.false_stops:,} of them worked"
        f" (false stops){unknown}"
    )
