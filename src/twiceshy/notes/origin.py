"""Origin of a note: history, evidence, and showings."""

from collections.abc import Sequence

from twiceshy.app import App
from twiceshy.core.evidence import Exposure, Signal
from twiceshy.core.history import JournalEntry, find_first_runtime
from twiceshy.core.lesson_value import LessonValue, value_lesson
from twiceshy.core.note import Note, short_handle
from twiceshy.core.outcome import Outcome
from twiceshy.core.outcome_sum import SummedOutcome
from twiceshy.core.prices import Prices, read_prices
from twiceshy.core.trigger import STATED
from twiceshy.core.value import Value
from twiceshy.notes.decay import POLICIES

_MOST = 5


class ShowingCounts(Value):
    """Showings of a note on record on this device, and sessions that went without."""

    told: int
    withheld: int


class NoteOrigin(Value):
    """Everything the store knows about the origin and effect of a note."""

    note: Note
    entries: tuple[JournalEntry, ...]
    variants: tuple[str, ...]  # other wordings of it that were seen
    runtime: str
    policy: str
    worth: float  # by that policy
    failed_calls: int
    succeeded_calls: int
    odds: float | None  # that the next such call fails
    lost_calls: int
    lost_seconds: float
    value: LessonValue | None  # of telling it at a session start
    prices: Prices
    superseded_by: str
    evidence: tuple[Signal, ...]
    shown: tuple[Exposure, ...]  # the newest on record, withheld ones among them
    showings: ShowingCounts


def explain_note(app: App, note: Note) -> NoteOrigin:
    """Collect the origin and effect of a note."""
    store, policy = app.store, app.config.text("eviction.policy")
    entries = store.history(note.id)
    about = store.match_triggers((note.scope.project,))
    match = next((each for each in about if each.note.id == note.id), None)
    shown = store.list_exposures(note=note.id)
    keys = [key for key, *_ in store.list_evidence(note.id)[:_MOST]]
    worded = (str(e.after["variant"]) for e in entries if e.after and e.after.get("variant"))
    return NoteOrigin(
        note=note,
        entries=tuple(entries),
        variants=tuple(dict.fromkeys(worded)),
        runtime=find_first_runtime(entries),
        policy=policy,
        worth=POLICIES[policy](note, store.now()),
        failed_calls=match.failed_calls if match else 0,
        succeeded_calls=match.succeeded_calls if match else 0,
        odds=match.failure_odds if match and match.trigger.category != STATED else None,
        lost_calls=match.lost_calls if match else 0,
        lost_seconds=match.lost_ms / 1000 if match else 0.0,
        value=value_lesson(match) if match and note.source == "detector" else None,
        prices=read_prices(app.config),
        superseded_by=short_handle(note.superseded_by) if note.superseded_by else "",
        evidence=tuple(store.list_signals(keys=keys, limit=_MOST) if keys else ()),
        shown=tuple(shown[:_MOST]),
        showings=_count_showings(shown, store.list_outcomes(note=note.id)),
    )


def _count_showings(shown: Sequence[Exposure], outcomes: Sequence[Outcome]) -> ShowingCounts:
    """Count exposures, and those whose outcomes are summed: of these only the newest are there."""
    summed = [one for one in outcomes if isinstance(one, SummedOutcome)]
    until = max((one.last_at for one in summed), default=0)
    counts = {
        withheld: sum(one.showings for one in summed if one.withheld == withheld)
        + sum(one.at > until and one.withheld == withheld for one in shown)
        for withheld in (False, True)
    }
    return ShowingCounts(counts[False], counts[True])
