"""Learn preferences from corrections by the user; most corrections are momentary."""

from __future__ import annotations

from twiceshy.core.admit import Admitted, Superseding
from twiceshy.core.draft import Draft
from twiceshy.core.note import SHOWN
from twiceshy.core.scope import Scope
from twiceshy.core.trigger import Trigger, TriggerMatch, parse_trigger
from twiceshy.core.trust import ORIGINS
from twiceshy.learning.detect.correction import is_durable
from twiceshy.learning.proposals import propose_note, propose_rule, quarantine_note
from twiceshy.learning.signals import build_correction_signal
from twiceshy.learning.state import LearningCounts
from twiceshy.safety.danger import find_danger

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.learning.detect.correction import Correction
    from twiceshy.learning.sources import SessionOrigin
    from twiceshy.learning.state import LearningState


def learn_correction(state: LearningState, correction: Correction) -> LearningCounts:
    """Capture a correction, and write or count the preference if durable."""
    app, learned = state.app, LearningCounts(corrections=1)
    signal = build_correction_signal(state.origin, correction)
    app.store.capture(signal)
    outcome = (
        propose_note(app, _build_draft(state.origin, correction))
        if is_durable(correction)
        else None
    )
    if outcome is None:
        return learned
    note = outcome.note
    app.store.record_evidence(note.id, signal.key, state.origin.session, at=correction.at)
    if not isinstance(outcome, Admitted | Superseding):
        propose_rule(app, state.origin, note)
        return learned.but(again=1)
    note = quarantine_note(app, note, find_danger(correction.text))
    trigger = parse_trigger(note.trigger)
    if trigger and note.status in SHOWN:
        state.triggers.put_match(TriggerMatch(note, trigger))
    return learned.but(new=1)


def _build_draft(origin: SessionOrigin, correction: Correction) -> Draft:
    return Draft(
        kind="preference",
        text=correction.text,
        scope=Scope(origin.project, correction.skill),
        source="detector",
        trigger=_build_trigger(correction),
        trust=ORIGINS["user"],
        origin_project=origin.project,
        origin_session=origin.session,
        learned_at=correction.at,
    )


def _build_trigger(correction: Correction) -> str:
    """Return the trigger for the command to avoid, if the command is a single word."""
    avoid = correction.avoid
    if not avoid or " " in avoid or avoid == correction.prefer:
        return ""
    return Trigger("Bash", (avoid,)).to_line()
