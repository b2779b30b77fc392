"""Learn from mistakes: count a known note, or write a new one on probation."""

from twiceshy.app import App
from twiceshy.core.admit import Admitted, Superseding
from twiceshy.core.draft import Draft
from twiceshy.core.evidence import Signal
from twiceshy.core.note import MISTAKE, SHOWN, Note
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.trigger import TriggerMatch
from twiceshy.core.trust import ORIGINS
from twiceshy.learning.detect.gate import is_worth_noting
from twiceshy.learning.detect.lesson import MistakeLesson
from twiceshy.learning.echo import is_echo
from twiceshy.learning.lesson_danger import find_lesson_danger
from twiceshy.learning.propose_note import propose_note, propose_rule, quarantine_note
from twiceshy.learning.sources import SessionOrigin
from twiceshy.learning.state import (
    LearningCounts,
    LearningState,
    build_error_signal,
    build_refusal_signal,
    count_recent_calls,
    find_failed_advice,
)
from twiceshy.learning.travel import share_lesson
from twiceshy.notes.write import change_note, count_sighting

_MOST_NEW = 8  # of a session and skill
_MOST_EVIDENCE = 20  # signals that are looked at


def learn_lesson(state: LearningState, lesson: MistakeLesson) -> LearningCounts:
    """Learn from a mistake: write a new note, or count and refine the known one."""
    app, failed = state.app, lesson.failed
    if lesson.fix:
        app.store.save_records(build_error_signal(state.origin, failed).but(pair=lesson.fix.id))
    elif lesson.trigger.category == "rejected":
        app.store.save_records(build_refusal_signal(state.origin, failed))
    if failed.mistake and is_echo(state, failed.mistake.line):
        return LearningCounts()
    draft = _build_draft(state.origin, lesson)
    if old := find_failed_advice(state.triggers.list_matches(), failed, state.origin.root):
        draft = _replace_advice(app, old, draft, lesson)
    known = state.triggers.find_known(lesson)
    note = known.note if known else _find_exact_duplicate(app, draft)
    if note is None:
        return LearningCounts(new=int(_write_lesson(state, lesson, draft)))
    seen = _attest_note(state, note, lesson)
    if not seen and note.origin_session != state.origin.session:
        note = count_sighting(app, note, draft)
        propose_rule(app, state.origin, note)
    if known:
        state.triggers.put_match(known.but(note=note))
        note = _refine_note(state, note, draft, lesson)
    share_lesson(app, state.origin, note)
    return LearningCounts(again=int(not seen))


def _build_draft(origin: SessionOrigin, lesson: MistakeLesson) -> Draft:
    return Draft(
        kind="lesson",
        subtype="fix" if lesson.fix else "gotcha",
        text=lesson.text,
        scope=Scope(origin.project, lesson.failed.skill),
        source="detector",
        why=lesson.evidence,
        tag=f"{MISTAKE}{lesson.key}",
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
    if lesson.fix and not find_lesson_danger(lesson):
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
    earlier = _find_earlier(state, lesson)
    if not is_worth_noting(lesson, seen_before=earlier is not None):
        return False
    if state.new_lessons.get(skill, 0) >= _MOST_NEW:
        return False
    began = draft.but(origin_session=earlier.session, learned_at=earlier.at) if earlier else draft
    # a lesson about other calls is another lesson, however alike the two are worded
    outcome = propose_note(state.app, began, keep_apart=True)
    if not isinstance(outcome, Admitted | Superseding):
        return False
    state.new_lessons[skill] = state.new_lessons.get(skill, 0) + 1
    note = quarantine_note(state.app, outcome.note, find_lesson_danger(lesson))
    if earlier:
        state.app.store.record_evidence(note.id, earlier.key, earlier.session, at=earlier.at)
        note = count_sighting(state.app, note, draft)
    if note.status in SHOWN:
        state.triggers.put_match(match := TriggerMatch(note, lesson.trigger))
        count_recent_calls(state, match)
    _attest_note(state, note, lesson)
    share_lesson(state.app, state.origin, note)
    return True


def _find_earlier(state: LearningState, lesson: MistakeLesson) -> Signal | None:
    """Return the last time that another session of the project made the same mistake."""
    mistake = lesson.failed.mistake
    signature = mistake.signature if mistake else ""
    found = state.app.store.list_signals(mistakes=[signature], limit=_MOST_EVIDENCE)
    origin = state.origin
    return next(
        (one for one in found if one.project == origin.project and one.session != origin.session),
        None,
    )


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


def _refine_note(state: LearningState, note: Note, draft: Draft, lesson: MistakeLesson) -> Note:
    """Return a note, with a fix added if it had none."""
    if note.source != "detector" or note.status not in SHOWN or note.pinned:
        return note  # it waits for somebody
    if note.scope.project == EVERYWHERE:
        return note  # the words of one project stay there
    if _is_reworded(state.app, note):
        return note
    if note.subtype != "fix" and lesson.fix and not find_lesson_danger(lesson):
        changed = {name: getattr(draft, name) for name in ("text", "why", "trigger", "subtype")}
        note = change_note(state.app, "edit", note, **changed)
        known = state.triggers.find_match(note.id) or TriggerMatch(note, lesson.trigger)
        state.triggers.put_match(known.but(note=note, trigger=lesson.trigger))
    return note


def _is_reworded(app: App, note: Note) -> bool:
    """True if a note is in somebody's own words by now."""
    return any("text" in (entry.after or {}) for entry in app.store.history(note.id)[1:])
