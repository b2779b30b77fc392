"""Outcomes of notes summed by week: how many sessions had the same in common.

Sessions of a note are summed if they started in one week, at the same lot, on the same side of a
comparison, and came out alike. So what is computed of the sums is what is computed of the
outcomes, wherever only the week matters. Weeks are summed further into one sum of the device's
earlier weeks. Each device sums what it recorded itself, and each of its weeks once and whole; so of
two sums with the same identity the later and greater one is the right one.
"""

from __future__ import annotations

from twiceshy.core.evidence import STOP
from twiceshy.core.grouping import group_by
from twiceshy.core.moment import DAY
from twiceshy.core.outcome import FLAGS, Outcome
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WEEK = 7 * DAY
EARLIER = 0  # as a week: all weeks of the device up to ``until``
NOBODY = ""  # as a device: the one that recorded the outcomes is not known
_BEFORE_THE_EPOCH = 3 * DAY  # its Monday; the epoch was a Thursday
_FACTS = (*FLAGS, "still_fails", "worked_anyway")  # the bits of ``came``, lowest first
MOST_FACTS = (1 << len(_FACTS)) - 1


class OutcomeSum(Value):
    """The sessions of a note that started in one week and came out alike.

    ``came``: what they have in common, a bit each. ``week``: its first moment (Monday, UTC), or
    EARLIER; ``until``: the last week that is summed here.
    """

    note: str
    week: int
    device: str
    withheld: bool
    lot: int
    came: int
    until: int
    sessions: int
    showings: int
    tokens: int
    calls_lost: int
    stops: int
    repeated: int
    false_stops: int
    first_at: int
    last_at: int

    @property
    def identity(self) -> tuple[object, ...]:
        """Return what only one sum of a store has."""
        return (self.note, self.week, self.device, self.withheld, self.lot, self.came)

    @property
    def extent(self) -> tuple[int, ...]:
        """Return what the greater of two sums with the same identity has more of."""
        return (
            self.until,
            *(getattr(self, name) for name in _COUNTED),
            self.last_at,
            self.first_at,
        )

    def read_outcome(self) -> SummedOutcome:
        """Return the sum in the form in which outcomes are measured."""
        facts = {name: bool(self.came >> bit & 1) for bit, name in enumerate(_FACTS)}
        name = "/".join(map(str, ("sum", *self.identity)))
        return SummedOutcome(
            key=name,
            note=self.note,
            session=name,
            project="",
            channel="",
            at=self.first_at,
            withheld=self.withheld,
            tokens=self.tokens,
            calls_lost=self.calls_lost,
            lot=self.lot,
            **{flag: facts[flag] for flag in FLAGS},
            sessions=self.sessions,
            last_at=self.last_at,
            recurred=facts["still_fails"],
            worked=facts["worked_anyway"],
            showings=self.showings,
            stops=self.stops,
            repeated=self.repeated,
            false_stops=self.false_stops,
        )


_COUNTED = ("sessions", "showings", "tokens", "calls_lost", "stops", "repeated", "false_stops")


class SummedOutcome(Outcome):
    """The outcome that several sessions have in common."""

    sessions: int = 1
    last_at: int = 0
    recurred: bool = False
    worked: bool = False
    showings: int = 0
    stops: int = 0
    repeated: int = 0
    false_stops: int = 0

    @property
    def still_fails(self) -> bool:
        """True if the call the note warns of failed in these sessions."""
        return self.recurred

    @property
    def worked_anyway(self) -> bool:
        """True if the call the note warns of worked in these sessions, and never failed."""
        return self.worked


def start_of_week(at: int) -> int:
    """Return the first moment of a moment's week."""
    return at - (at + _BEFORE_THE_EPOCH) % WEEK


def sum_outcomes(outcomes: Iterable[Outcome], *, device: str) -> list[OutcomeSum]:
    """Sum outcomes by week; a session over the end of a week counts in both."""
    found: dict[tuple[object, ...], OutcomeSum] = {}
    groups = group_by(outcomes, lambda each: (each.note, each.session, start_of_week(each.at)))
    for some in groups.values():
        one = _sum_session(sorted(some, key=lambda each: (each.at, each.key)), device)
        known = found.get(one.identity)
        found[one.identity] = one if known is None else add_sums(known, one)
    return list(found.values())


def add_sums(one: OutcomeSum, other: OutcomeSum) -> OutcomeSum:
    """Add up two sums of different sessions; the result has the identity of the first."""
    counts = {name: getattr(one, name) + getattr(other, name) for name in _COUNTED}
    return one.but(
        until=max(one.until, other.until),
        first_at=min(one.first_at, other.first_at),
        last_at=max(one.last_at, other.last_at),
        **counts,
    )


def sum_earlier_weeks(
    weeks: Iterable[OutcomeSum], earlier: Iterable[OutcomeSum], *, until: int
) -> list[OutcomeSum]:
    """Add weeks of a device to its sums of earlier weeks; return these sums.

    Every sum of the note tells the last week that is in it, also where that week added nothing.
    """
    found = {each.identity: each.but(until=until) for each in earlier}
    for each in weeks:
        one = each.but(week=EARLIER, until=until)
        known = found.get(one.identity)
        found[one.identity] = one if known is None else add_sums(known, one)
    return list(found.values())


def _sum_session(some: Sequence[Outcome], device: str) -> OutcomeSum:
    first = some[0]
    stops = [each for each in some if each.channel == STOP and not each.withheld]
    week = start_of_week(first.at)
    return OutcomeSum(
        note=first.note,
        week=week,
        device=device,
        withheld=any(each.withheld for each in some),
        lot=first.lot,
        came=sum(
            any(getattr(each, name) for each in some) << bit for bit, name in enumerate(_FACTS)
        ),
        until=week,
        sessions=1,
        showings=len(some),
        tokens=sum(each.tokens for each in some if not each.withheld),
        calls_lost=max(each.calls_lost for each in some),
        stops=len(stops),
        repeated=sum(each.violated or each.false_alarm for each in stops),
        false_stops=sum(each.false_alarm for each in stops),
        first_at=first.at,
        last_at=max(each.at for each in some),
    )
