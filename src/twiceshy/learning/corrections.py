"""Learn from corrections by the user: a sentence that holds for later work becomes a preference.

A standing order is shown from the next session on. Another preference waits in `review` until
the user accepts it, or says the same in a second session. The note is the user's own sentence.
"""

from twiceshy.app import App
from twiceshy.core.admit import Admitted, Superseding
from twiceshy.core.draft import Draft
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import SHOWN, Note
from twiceshy.core.scope import Scope
from twiceshy.core.trigger import Trigger, TriggerMatch, parse_trigger
from twiceshy.core.trust import ORIGINS
from twiceshy.language.contrast import find_contrast, is_program
from twiceshy.language.same_meaning import is_same_meaning, read_meaning
from twiceshy.learning.detect.correction import Correction, StatedPreference
from twiceshy.learning.echo import is_pasted
from twiceshy.learning.propose_note import propose_note, propose_rule, quarantine_note
from twiceshy.learning.sources import SessionOrigin
from twiceshy.learning.state import LearningCounts, LearningState, build_correction_signal
from twiceshy.notes.write import change_note, count_sighting
from twiceshy.safety.danger import find_danger_in_order

_MOST_KNOWN = 500  # preferences of a scope that a sentence is compared with
ACTIVATE = "activate"


def learn_correction(state: LearningState, correction: Correction) -> LearningCounts:
    """Capture a correction, and write or count the preferences in its sentences."""
    signal = build_correction_signal(state.origin, correction)
    state.app.store.capture(signal)
    learned = LearningCounts(corrections=1)
    for preference in correction.preferences:
        if is_pasted(state, preference.text):
            continue
        learned += _learn_preference(state, correction, preference, key=signal.key)
    return learned


def _learn_preference(
    state: LearningState, correction: Correction, preference: StatedPreference, *, key: str
) -> LearningCounts:
    app, origin = state.app, state.origin
    draft = _build_preference(origin, correction, preference)
    if known := _find_same_meaning(app, draft):
        note, is_new = count_sighting(app, known, draft), False
    else:
        outcome = propose_note(app, draft)
        if outcome is None:
            return LearningCounts()
        note, is_new = outcome.note, isinstance(outcome, Admitted | Superseding)
    app.store.record_evidence(note.id, key, origin.session, at=correction.at)
    if is_new:
        note = quarantine_note(app, note, find_danger_in_order(preference.text))
    else:
        propose_rule(app, origin, note)
    if preference.standing and note.status == "candidate":
        note = change_note(app, ACTIVATE, note, status="active", reason="")
    if note.state != "current" and not is_new:  # said again: told at starts again
        note = change_note(app, "wake", note, state="current")
    trigger = parse_trigger(note.trigger)
    if trigger and note.status in SHOWN:
        state.triggers.put_match(TriggerMatch(note, trigger))
    return LearningCounts(new=int(is_new), again=int(not is_new))


def _find_same_meaning(app: App, draft: Draft) -> Note | None:
    """Return the preference of the project that says the same in other words.

    Equal words are found by the store; notes that the user rejected count, too.
    """
    which = NoteFilter(
        projects=app.store.list_project_ids(draft.scope.project),
        skill=draft.scope.skill,
        kinds=(draft.kind,),
        statuses=(),
    )
    known, meaning = app.store.notes(which, limit=_MOST_KNOWN), read_meaning(draft.text)
    same = (note for note in known if is_same_meaning(read_meaning(note.text), meaning))
    return next(same, None)


def _build_preference(
    origin: SessionOrigin, correction: Correction, preference: StatedPreference
) -> Draft:
    """Build the draft of a preference; its trigger is the program to avoid, if any."""
    avoid, prefer = find_contrast(preference.text.rstrip(".;。；!！ "))
    avoidable = avoid != prefer and is_program(avoid)
    skill = correction.skill
    # what the user says while a skill is at work is mostly not about the skill
    about_skill = skill and skill.casefold() in preference.text.casefold()
    return Draft(
        kind="preference",
        text=preference.text,
        scope=Scope(origin.project, skill if about_skill else ""),
        source="detector",
        trigger=Trigger("Bash", (avoid,)).to_line() if avoidable else "",
        trust=ORIGINS["user"],
        origin_project=origin.project,
        origin_session=origin.session,
        learned_at=correction.at,
    )
