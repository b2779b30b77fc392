"""Retire useless, outdated or harmful notes, and promote proven notes; count feedback of agents.

Nothing is deleted, and each decision is a journal entry with its figures. Notes written,
pinned or approved by a person are left to the person: they stay visible whatever an agent
says. An opinion is no outcome: the effect is measured by later calls, and feedback does not
enter the measurement.
"""

from __future__ import annotations

from twiceshy.core.admit import DOUBTED
from twiceshy.core.grouping import group_by
from twiceshy.core.note import SHOWN, is_exempt
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.value import Value
from twiceshy.core.worth import (
    FADED,
    FAINT,
    count_outcomes,
    find_streak,
    judge_worth,
    remaining_strength,
)
from twiceshy.effect.measure import measure_effect
from twiceshy.notes.write import change_note

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Literal

    from twiceshy.app import App
    from twiceshy.core.note import Note, NoteStatus
    from twiceshy.core.outcome import Outcome
    from twiceshy.core.store import Store
    from twiceshy.core.worth import SessionStreak

    Step = Literal["retire", "doubt", "promote"]
    Verdict = Literal["helped", "wrong", "outdated"]
    Became = Literal["counted", "probation", "marked", "waiting"]

# How likely a streak may be chance. Twice is enough for a doubt: such a note is still shown just in time.
# To let it go takes more, because one looks again after every session. Of 60 notes about a mistake that
# fails two times out of three, 20 were lost within 120 sessions at one in a hundred, 1 at one in a thousand.
_TWICE, _DOUBTFUL, _OUTDATED = 2, 0.15, 0.001
# What a person, or a new mistake, brought back is judged by what came of it since.
_BROUGHT_BACK = ("restore", "accept", "keep", "undo")
_STATUSES: dict[Step, NoteStatus] = {
    "retire": "retired",
    "doubt": "candidate",
    "promote": "active",
}
VERDICTS: tuple[Verdict, ...] = ("helped", "wrong", "outdated")
_COUNTERS = {"helped": "helped", "wrong": "harmed"}
_LONGEST = 200


class Decision(Value):
    """A decision about a note, with its figures."""

    note: Note
    step: Step
    reason: str


def reconsider_notes(app: App, note_ids: Iterable[str] = ()) -> list[Decision]:
    """Decide again about given notes, or about all notes with outcomes; return the decisions.

    A promoted note gains trust, and may be proposed as a rule.
    """
    asked = frozenset(note_ids)
    came = group_by(_list_outcomes(app.store, asked), lambda outcome: outcome.note)
    chosen = sorted(came.keys() & asked if asked else came)
    decided = [_decide_note(app.store, note_id, came[note_id]) for note_id in chosen]
    with app.store.change():
        return [_carry_out(app, decision) for decision in decided if decision is not None]


def _list_outcomes(store: Store, asked: frozenset[str]) -> list[Outcome]:
    """Return the outcomes of the notes that are asked for, or of all: a year has 40,000."""
    if not asked:
        return store.list_outcomes()
    return [each for note_id in sorted(asked) for each in store.list_outcomes(note=note_id)]


def doubt_note(app: App, note: Note, *, by: str) -> Decision | None:
    """Put a contradicted note back on probation; None if a person owns the note."""
    if note.status != "active" or not _may_decide(note):
        return None
    with app.store.change():
        return _carry_out(app, Decision(note, "doubt", f"contradicted: {by}"))


def _carry_out(app: App, decision: Decision) -> Decision:
    status = _STATUSES[decision.step]
    reason = "" if status == "active" else decision.reason
    return decision.but(
        note=change_note(app, decision.step, decision.note, status=status, reason=reason)
    )


def _decide_note(store: Store, note_id: str, outcomes: Sequence[Outcome]) -> Decision | None:
    note = store.note(note_id)
    if note is None or note.status not in SHOWN or not _may_decide(note):
        return None
    since = max((e.at for e in store.history(note.id) if e.op in _BROUGHT_BACK), default=0)
    fair = [outcome for outcome in outcomes if outcome.at > since]
    found = (
        _decide_retirement(note, fair)
        or _decide_weakening(store, note, fair)
        or _decide_promotion(fair)
    )
    if found is None or (found[0] == "doubt" and note.status == "candidate"):
        return None
    return Decision(note, *found)


def _may_decide(note: Note) -> bool:
    return not is_exempt(note) and note.source != "user"


def _decide_retirement(note: Note, outcomes: Sequence[Outcome]) -> tuple[Step, str] | None:
    counts = count_outcomes(outcomes)
    streak = _describe_streak(note, outcomes)
    if streak.chance < _OUTDATED:
        return "retire", f"what it warns of worked in the last {streak.sessions} sessions"
    if judge_worth(counts) == "retire":
        return "retire", (
            f"of no use: helped {counts.helped}, harmed {counts.harmed},"
            f" came in vain {counts.false_alarm}, not heeded {counts.violated}"
        )
    effect = measure_effect(outcomes)
    if effect.prevented is not None and effect.high < 0:
        told, untold = effect.told, effect.untold
        return "retire", (
            f"harmful: {told.failed} of {told.sessions} sessions went wrong with it,"
            f" {untold.failed} of {untold.sessions} without"
        )
    return None


def _decide_weakening(
    store: Store, note: Note, outcomes: Sequence[Outcome]
) -> tuple[Step, str] | None:
    streak = _describe_streak(note, outcomes)
    if streak.sessions >= _TWICE and streak.chance < _DOUBTFUL:
        return "doubt", f"what it warns of worked in the last {streak.sessions} sessions"
    sessions = store.list_session_starts(note.scope)
    left = remaining_strength(outcomes, sessions, learned_at=note.learned_at)
    if left >= FAINT:
        return None
    return "retire" if left < FADED else "doubt", f"not needed for long: {left:.0%} of it is left"


def _decide_promotion(outcomes: Sequence[Outcome]) -> tuple[Step, str] | None:
    counts = count_outcomes(outcomes)
    if judge_worth(counts) != "promote":
        return None
    return "promote", f"helped {counts.helped} of the {counts.opportunity} times it could"


def _describe_streak(note: Note, outcomes: Sequence[Outcome]) -> SessionStreak:
    return find_streak(outcomes, learned_at=note.learned_at, sightings=note.sightings)


class FeedbackResult(Value):
    """A note with feedback of an agent, and its status afterwards."""

    note: Note
    became: Became


def judge_note(app: App, note: Note, verdict: Verdict, *, comment: str = "") -> FeedbackResult:
    """Count feedback of an agent; send a bad note to review."""
    with app.store.change():
        if counter := _COUNTERS.get(verdict):
            app.store.increment_counter(counter, [note.id])
        if verdict == "helped":
            return FeedbackResult(note, "counted")
        said = fold_to_line(strip_unsafe(comment), limit=_LONGEST)
        why = f"an agent says it is {verdict}" + (f": {said}" if said else "")
        if note.status != "active":
            return FeedbackResult(note, "waiting")
        decision = doubt_note(app, note, by=why)
        if decision is not None:
            return FeedbackResult(decision.note, "probation")
        return FeedbackResult(change_note(app, "doubt", note, reason=DOUBTED + why), "marked")
