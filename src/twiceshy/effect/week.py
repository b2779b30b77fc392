"""Count what the memory did lately: told, heeded, prevented, repaired, stopped, learned."""

from __future__ import annotations

from twiceshy.core.evidence import PASSED, STOP
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import DAY
from twiceshy.core.outcome_sum import SummedOutcome
from twiceshy.core.value import Value
from twiceshy.effect.stops import count_stops

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.evidence import Exposure
    from twiceshy.core.outcome import Outcome

DAYS = 7
_AT_THE_ERROR = ("failure", "call")  # the text arrives with the result of the call
_BY_MACHINE = ("detector", "distiller", "historian")


class RecentWork(Value):
    """What the memory did in the last days, in all projects.

    ``told``: notes in conversations, each once. ``heeded``: of these, where the agent did as the
    note says: before the mistake (``prevented``) or beside the error (``repaired``).
    """

    days: int
    told: int
    heeded: int
    prevented: int
    repaired: int
    stopped: int
    learned: int


def count_recent_work(app: App, *, days: int = DAYS) -> RecentWork:
    """Count what was told, heeded, stopped and learned in the last days."""
    since = app.store.now() - days * DAY
    exposures = app.store.list_exposures(since=since)
    outcomes = app.store.list_outcomes(since=since)
    judged = [one for one in outcomes if not isinstance(one, SummedOutcome) and _was_told(one)]
    heeded = {(one.session, one.note): one.channel for one in judged if one.followed}
    repaired = sum(channel in _AT_THE_ERROR for channel in heeded.values())
    told: list[Exposure | Outcome] = [*filter(_was_told, exposures), *judged]
    new = app.store.notes(NoteFilter(since=since), limit=None)
    return RecentWork(
        days=days,
        told=len({(one.session, one.note) for one in told}),
        heeded=len(heeded),
        prevented=len(heeded) - repaired,
        repaired=repaired,
        stopped=count_stops(app, outcomes, exposures, since=since).stopped,
        learned=sum(note.source in _BY_MACHINE for note in new),
    )


def _was_told(one: Exposure | Outcome) -> bool:
    """True for a note that a model could read; reminders and stops are counted elsewhere."""
    return bool(one.note) and not one.withheld and one.channel not in (STOP, PASSED)
