"""Learn from mistakes and from corrections by the user: count a known note, or write a new one.

New notes are on probation. Most corrections are momentary; a durable one becomes a preference.
"""

from twiceshy.app import App
from twiceshy.core.admit import Admitted, Refused, Revised, SeenAgain, Superseding
from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import SHOWN, Note
from twiceshy.core.scope import Scope
from twiceshy.core.text import fold_to_line
from twiceshy.core.trigger import Trigger, TriggerMatch, list_quoted_errors, parse_trigger
from twiceshy.core.trust import ORIGINS
from twiceshy.language.similar import telling_terms_of
from twiceshy.learning.detect.correction import Correction, is_durable
from twiceshy.learning.detect.lesson import MistakeLesson
from twiceshy.learning.detect.mistake import build_skeleton
from twiceshy.learning.sources import SessionOrigin
from twiceshy.learning.state import (
    LearningCounts,
    LearningState,
    build_correction_signal,
    build_error_signal,
    count_recent_calls,
    find_failed_advice,
)
from twiceshy.notes.propose import propose_again
from twiceshy.notes.write import change_note, count_sighting, write_draft
from twiceshy.safety.danger import find_danger
from twiceshy.shell.call_summary import summarise_call
from twiceshy.shell.tool_call import ToolCall

_MOST_NEW = 3  # of a session and skill
_LONGEST_ALSO = 60
_TELLING_CHARACTERS = 24  # characters of an error that tell it from another
_MOST_EVIDENCE = 20  # evidence of a note whose signals may be left
_ECHO_SHARE = 0.65  # share of words by which what was printed is what we said
_RULE_SIGHTINGS = 3
_RULE_DAYS = 3
_MOST_RULES = 1_000


def learn_lesson(state: LearningState, lesson: MistakeLesson) -> LearningCounts:
    """Learn from a mistake: write a new note, or count and refine the known one."""
    app, failed = state.app, lesson.failed
    if lesson.fix:
        app.store.save_records(build_error_signal(state.origin, failed).but(pair=lesson.fix.id))
    if _is_echo(state, failed):
        return LearningCounts()
    draft = _build_draft(state.origin, lesson)
    if old := find_failed_advice(state.triggers.list_matches(), failed, state.origin.root):
        draft = _replace_advice(app, old, draft, lesson)
    known = state.triggers.find_known(lesson.trigger, failed)
    note = known.note if known else _find_exact_duplicate(app, draft)
    if note is None:
        return LearningCounts(new=int(_write_lesson(state, lesson, draft)))
    seen = _attest_note(state, note, lesson)
    if not seen and note.origin_session != state.origin.session:
        note = count_sighting(app, note, draft)
        _propose_rule(app, state.origin, note)
    if known:
        state.triggers.put_match(known.but(note=note))
        _refine_note(state, note, draft, lesson)
    return LearningCounts(again=int(not seen))


def learn_correction(state: LearningState, correction: Correction) -> LearningCounts:
    """Capture a correction, and write or count the preference if durable."""
    app, learned = state.app, LearningCounts(corrections=1)
    signal = build_correction_signal(state.origin, correction)
    app.store.capture(signal)
    if not is_durable(correction):
        return learned
    outcome = _propose_note(app, _build_preference(state.origin, correction))
    if outcome is None:
        return learned
    note = outcome.note
    app.store.record_evidence(note.id, signal.key, state.origin.session, at=correction.at)
    if not isinstance(outcome, Admitted | Superseding):
        _propose_rule(app, state.origin, note)
        return learned.but(again=1)
    note = _quarantine_note(app, note, find_danger(correction.text))
    trigger = parse_trigger(note.trigger)
    if trigger and note.status in SHOWN:
        state.triggers.put_match(TriggerMatch(note, trigger))
    return learned.but(new=1)


def _is_echo(state: LearningState, failed: ToolCall) -> bool:
    """True if the output repeats a note of ours: a memory must not learn from itself.

    A note quotes the error of its mistake, so an error that equals the quote is the mistake
    itself.
    """
    line = failed.mistake.line if failed.mistake else ""
    words = telling_terms_of(line)
    for text in state.list_shown_texts() if words else ():
        said = telling_terms_of(text)
        alike = len(words & said) >= _ECHO_SHARE * len(words | said)
        if alike and not any(line in quote or quote in line for quote in list_quoted_errors(text)):
            return True
    return False


def _build_draft(origin: SessionOrigin, lesson: MistakeLesson) -> Draft:
    return Draft(
        kind="lesson",
        subtype="fix" if lesson.fix else "gotcha",
        text=lesson.text,
        scope=Scope(origin.project, lesson.failed.skill),
        source="detector",
        trigger=lesson.trigger.to_line(),
        trust=ORIGINS["command"],
        origin_project=origin.project,
        origin_session=origin.session,
        learned_at=lesson.failed.at,
    )


def _replace_advice(app: App, old: Note, draft: Draft, lesson: MistakeLesson) -> Draft:
    """Return a draft superseding a note with failed advice, or doubt the note.

    Only a lesson with a harmless fix supersedes the note.
    """
    if lesson.fix and not _find_lesson_danger(lesson):
        return draft.but(supersedes=old.id)
    if old.status == "active":
        reason = f"its advice failed: {lesson.why}"
        change_note(app, "doubt", old, status="candidate", reason=reason)
    return draft


def _find_exact_duplicate(app: App, draft: Draft) -> Note | None:
    """Return the note with exactly the same words, even if not shown."""
    duplicate = app.store.find_duplicate(draft)
    return duplicate if duplicate and duplicate.fingerprint == draft.fingerprint else None


def _write_lesson(state: LearningState, lesson: MistakeLesson, draft: Draft) -> bool:
    """Write a new note; True if a note was written."""
    skill = draft.scope.skill
    concrete = lesson.fix or lesson.trigger.category in ("usage", "missing")
    if not concrete or state.new_lessons.get(skill, 0) >= _MOST_NEW:
        return False
    # a lesson about other calls is another lesson, however alike the two are worded
    outcome = _propose_note(state.app, draft, keep_apart=True)
    if not isinstance(outcome, Admitted | Superseding):
        return False
    state.new_lessons[skill] = state.new_lessons.get(skill, 0) + 1
    note = _quarantine_note(state.app, outcome.note, _find_lesson_danger(lesson))
    if note.status in SHOWN:
        state.triggers.put_match(match := TriggerMatch(note, lesson.trigger))
        count_recent_calls(state, match)
    _attest_note(state, note, lesson)
    return True


def _attest_note(state: LearningState, note: Note, lesson: MistakeLesson) -> bool:
    return state.app.store.record_evidence(
        note.id,
        f"call:{lesson.failed.id}",
        state.origin.session,
        at=lesson.failed.at,
        unseen=lesson.failed.refusal == "invalid",
        lost_calls=lesson.lost_calls,
        lost_ms=lesson.lost_ms,
    )


def _refine_note(state: LearningState, note: Note, draft: Draft, lesson: MistakeLesson) -> None:
    """Add a fix to a note without a fix, or a second wording of the error."""
    quotes = list_quoted_errors(note.text)
    if note.source != "detector" or note.status not in SHOWN or note.pinned or not quotes:
        return  # it is somebody's own words, or waits for somebody
    if note.subtype != "fix" and lesson.fix and not _find_lesson_danger(lesson):
        changed = {"text": draft.text, "trigger": draft.trigger, "subtype": draft.subtype}
        note = change_note(state.app, "edit", note, **changed)
        state.triggers.put_match(TriggerMatch(note, lesson.trigger))
        return
    new = build_skeleton(lesson.why)[:_TELLING_CHARACTERS]
    lately = [
        each.split("|", 2)[-1][:_TELLING_CHARACTERS] for each in _find_last_wordings(state, note)
    ]
    known = [build_skeleton(quote)[:_TELLING_CHARACTERS] for quote in quotes]
    if len(quotes) == 1 and new not in known and lately == [new, new]:
        also = f'"{quotes[0]}" or "{fold_to_line(lesson.why, limit=_LONGEST_ALSO)}"'
        said, failed, rest = note.text.partition("` failed: ")
        text = said + failed + rest.replace(f'"{quotes[0]}"', also, 1)
        change_note(state.app, "edit", note, text=text)


def _find_lesson_danger(lesson: MistakeLesson) -> str:
    """Return the reason why a lesson must wait for a person, or nothing.

    The failed call is checked too, for it may have been planted. Calls are checked as they were
    made: parts left out of the note, such as redirected output, count.
    """
    calls = (lesson.fix, lesson.failed)
    return next(
        (why for act in calls if act and (why := find_danger(act.command or summarise_call(act)))),
        "",
    )


def _find_last_wordings(state: LearningState, note: Note) -> list[str]:
    """Return the last two wordings of the mistake behind a note, newest first."""
    keys = [key for key, *_ in state.app.store.list_evidence(note.id)][:_MOST_EVIDENCE]
    said = {one.key: one.mistake for one in state.app.store.list_signals(keys=keys)}
    return [said[key] for key in keys if key in said][:2]


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


def _propose_note(
    app: App, draft: Draft, *, keep_apart: bool = False
) -> Admitted | SeenAgain | Revised | Superseding | None:
    """Propose a note; None if refused or not fit to keep."""
    try:
        outcome = write_draft(app, draft, keep_apart=keep_apart)
    except NoteError:  # too long, or not fit to be read; there is more to learn behind it
        return None
    return None if isinstance(outcome, Refused) else outcome


def _propose_rule(app: App, origin: SessionOrigin, note: Note) -> None:
    """Propose a rule for a note learned repeatedly on different days."""
    often = note.sightings >= _RULE_SIGHTINGS and note.days >= _RULE_DAYS
    if not often or note.status not in SHOWN or note.kind == "rule":
        return
    rule = Draft(
        kind="rule",
        subtype="hard",
        text=note.text,
        scope=note.scope,
        source="detector",
        trigger=note.trigger,
        tag=note.id,
        trust=note.trust,
        origin_project=origin.project,
        origin_session=origin.session,
        learned_at=note.learned_at,
    )
    rules = NoteFilter(projects=(note.scope.project,), kinds=("rule",), statuses=())
    known = [each for each in app.store.notes(rules, limit=_MOST_RULES) if each.tag == note.id]
    propose_again(app, known)
    if not known:
        write_draft(app, rule)


def _quarantine_note(app: App, note: Note, why: str) -> Note:
    """Quarantine a shown note if ``why`` gives a danger in its advice."""
    if note.status not in SHOWN or not why:
        return note
    return change_note(app, "quarantine", note, status="quarantined", reason=why)
