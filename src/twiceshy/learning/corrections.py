"""Learn from corrections by the user: most are momentary, a durable one becomes a preference."""

from twiceshy.core.admit import Admitted, Superseding
from twiceshy.core.draft import Draft
from twiceshy.core.note import SHOWN
from twiceshy.core.scope import Scope
from twiceshy.core.trigger import Trigger, TriggerMatch, parse_trigger
from twiceshy.core.trust import ORIGINS
from twiceshy.learning.detect.correction import Correction, is_durable
from twiceshy.learning.propose_note import propose_note, propose_rule, quarantine_note
from twiceshy.learning.sources import SessionOrigin
from twiceshy.learning.state import LearningCounts, LearningState, build_correction_signal
from twiceshy.safety.danger import find_danger


def learn_correction(state: LearningState, correction: Correction) -> LearningCounts:
    """Capture a correction, and write or count the preference if durable."""
    app, learned = state.app, LearningCounts(corrections=1)
    signal = build_correction_signal(state.origin, correction)
    app.store.capture(signal)
    if not is_durable(correction):
        return learned
    outcome = propose_note(app, _build_preference(state.origin, correction))
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


def _build_preference(origin: SessionOrigin, correction: Correction) -> Draft:
    """Build the draft of a preference; its trigger is the command to avoid, if a single word."""
    avoid = correction.avoid
    single = avoid and " " not in avoid and avoid != correction.prefer
    return Draft(
        kind="preference",
        text=correction.text,
        scope=Scope(origin.project, correction.skill),
        source="detector",
        trigger=Trigger("Bash", (avoid,)).to_line() if single else "",
        trust=ORIGINS["user"],
        origin_project=origin.project,
        origin_session=origin.session,
        learned_at=correction.at,
    )
