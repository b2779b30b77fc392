"""Learn lessons from mistakes: count a known note, or write a new note on probation."""

from __future__ import annotations

from twiceshy.core.admit import Admitted, Superseding
from twiceshy.core.draft import Draft
from twiceshy.core.note import SHOWN
from twiceshy.core.scope import Scope
from twiceshy.core.text import one_line
from twiceshy.core.trigger import Match, quotes_of
from twiceshy.core.trust import ORIGINS
from twiceshy.language.similar import words_of
from twiceshy.learning.calls import count_recent_calls
from twiceshy.learning.detect.mistake import skeleton
from twiceshy.learning.proposals import propose, propose_rule, quarantine
from twiceshy.learning.renewal import overtaken
from twiceshy.learning.signals import error_signal
from twiceshy.learning.state import LearningCounts
from twiceshy.notes.write import change, see
from twiceshy.safety.danger import danger
from twiceshy.shell.form import form

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.learning.detect.lesson import MistakeLesson
    from twiceshy.learning.sources import SessionOrigin
    from twiceshy.learning.state import LearningState
    from twiceshy.shell.tool_call import Act

_MOST_NEW = 3  # of a session and skill
_LONGEST_ALSO = 60
_TELLING = 24  # characters of an error that tell it from another
_ATTESTED = 20  # evidence of a note whose signals may be left
_ECHO = 0.65  # share of words by which what was printed is what we said


def learn_lesson(state: LearningState, lesson: MistakeLesson) -> LearningCounts:
    """Learn from a mistake: write a new note, or count and refine the known one."""
    app, failed = state.app, lesson.failed
    if lesson.fix:
        app.store.keep(error_signal(state.origin, failed).but(pair=lesson.fix.id))
    if _is_echo(state, failed):
        return LearningCounts()
    draft = _draft(state.origin, lesson)
    if old := overtaken(state.triggers.all(), failed, state.origin.root):
        draft = _replace_advice(app, old, draft, lesson)
    known = state.triggers.known(lesson.trigger, failed)
    note = known.note if known else _twin(app, draft)
    if note is None:
        return LearningCounts(new=int(_write_lesson(state, lesson, draft)))
    seen = _attest(state, note, lesson)
    if not seen and note.origin_session != state.origin.session:
        note = see(app, note, draft)
        propose_rule(app, state.origin, note)
    if known:
        state.triggers.put(known.but(note=note))
        _refine(state, note, draft, lesson)
    return LearningCounts(again=int(not seen))


def _is_echo(state: LearningState, failed: Act) -> bool:
    """True if the output repeats a note of ours: a memory must not learn from itself.

    A note quotes the error of its mistake, so an error that equals the quote is the mistake
    itself.
    """
    line = failed.mistake.line if failed.mistake else ""
    words = words_of(line)
    for text in state.shown_texts() if words else ():
        said = words_of(text)
        alike = len(words & said) >= _ECHO * len(words | said)
        if alike and not any(line in quote or quote in line for quote in quotes_of(text)):
            return True
    return False


def _draft(origin: SessionOrigin, lesson: MistakeLesson) -> Draft:
    return Draft(
        kind="lesson",
        subtype="fix" if lesson.fix else "gotcha",
        text=lesson.text,
        scope=Scope(origin.project, lesson.failed.skill),
        source="detector",
        trigger=lesson.trigger.written(),
        trust=ORIGINS["command"],
        origin_project=origin.project,
        origin_session=origin.session,
        learned_at=lesson.failed.at,
    )


def _replace_advice(app: App, old: Note, draft: Draft, lesson: MistakeLesson) -> Draft:
    """Return a draft superseding a note with failed advice, or doubt the note.

    Only a lesson with a harmless fix supersedes the note.
    """
    if lesson.fix and not _danger(lesson):
        return draft.but(supersedes=old.id)
    if old.status == "active":
        reason = f"its advice failed: {lesson.why}"
        change(app, "doubt", old, status="candidate", reason=reason)
    return draft


def _twin(app: App, draft: Draft) -> Note | None:
    """Return the note with exactly the same words, even if not shown."""
    twin = app.store.twin(draft)
    return twin if twin and twin.fingerprint == draft.fingerprint else None


def _write_lesson(state: LearningState, lesson: MistakeLesson, draft: Draft) -> bool:
    """Write a new note; True if a note was written."""
    skill = draft.scope.skill
    concrete = lesson.fix or lesson.trigger.sort in ("usage", "missing")
    if not concrete or state.new_lessons.get(skill, 0) >= _MOST_NEW:
        return False
    # a lesson about other calls is another lesson, however alike the two are worded
    outcome = propose(state.app, draft, keep_apart=True)
    if not isinstance(outcome, Admitted | Superseding):
        return False
    state.new_lessons[skill] = state.new_lessons.get(skill, 0) + 1
    note = quarantine(state.app, outcome.note, _danger(lesson))
    if note.status in SHOWN:
        state.triggers.put(match := Match(note, lesson.trigger))
        count_recent_calls(state, match)
    _attest(state, note, lesson)
    return True


def _attest(state: LearningState, note: Note, lesson: MistakeLesson) -> bool:
    return state.app.store.attest(
        note.id,
        f"call:{lesson.failed.id}",
        state.origin.session,
        at=lesson.failed.at,
        unseen=lesson.failed.refusal == "invalid",
        lost_calls=lesson.lost_calls,
        lost_ms=lesson.lost_ms,
    )


def _refine(state: LearningState, note: Note, draft: Draft, lesson: MistakeLesson) -> None:
    """Add a fix to a note without a fix, or a second wording of the error."""
    quotes = quotes_of(note.text)
    if note.source != "detector" or note.status not in SHOWN or note.pinned or not quotes:
        return  # it is somebody's own words, or waits for somebody
    if note.subtype != "fix" and lesson.fix and not _danger(lesson):
        changed = {"text": draft.text, "trigger": draft.trigger, "subtype": draft.subtype}
        note = change(state.app, "edit", note, **changed)
        state.triggers.put(Match(note, lesson.trigger))
        return
    new = skeleton(lesson.why)[:_TELLING]
    lately = [each.split("|", 2)[-1][:_TELLING] for each in _last_wordings(state, note)]
    known = [skeleton(quote)[:_TELLING] for quote in quotes]
    if len(quotes) == 1 and new not in known and lately == [new, new]:
        also = f'"{quotes[0]}" or "{one_line(lesson.why, limit=_LONGEST_ALSO)}"'
        said, failed, rest = note.text.partition("` failed: ")
        text = said + failed + rest.replace(f'"{quotes[0]}"', also, 1)
        change(state.app, "edit", note, text=text)


def _danger(lesson: MistakeLesson) -> str:
    """Return the reason why a lesson must wait for a person, or nothing.

    The failed call is checked too, for it may have been planted. Calls are checked as they were
    made: parts left out of the note, such as redirected output, count.
    """
    calls = (lesson.fix, lesson.failed)
    return next((why for act in calls if act and (why := danger(act.command or form(act)))), "")


def _last_wordings(state: LearningState, note: Note) -> list[str]:
    """Return the last two wordings of the mistake behind a note, newest first."""
    keys = [key for key, *_ in state.app.store.evidence(note.id)][:_ATTESTED]
    said = {one.key: one.mistake for one in state.app.store.signals_of(keys=keys)}
    return [said[key] for key in keys if key in said][:2]
