"""State of learning from a session: its calls are counted, and become signals.

Errors become signals, and notes about the calls are counted or retired: a note is revised
when a failing call works now, or when its advice fails.
"""

from __future__ import annotations

from collections import Counter

from twiceshy.core.admit import OUTDATED
from twiceshy.core.evidence import Signal
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import format_day
from twiceshy.core.note import MISTAKE
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.trigger import (
    FILES,
    FORM,
    MOVED,
    REMEDY,
    STATED,
    error_matches_quote,
    failing_share,
    list_quoted_errors,
    read_evidence,
)
from twiceshy.core.value import Value
from twiceshy.effect.advice import find_forms
from twiceshy.learning.detect.watch import WINDOW
from twiceshy.learning.remedies import RemedyIndex, list_rewritten_calls
from twiceshy.notes.write import change_note
from twiceshy.shell.call_summary import relative_to_root, summarise_call
from twiceshy.shell.call_words import GLOB
from twiceshy.shell.summary import cut_excerpt

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twiceshy.app import App
    from twiceshy.core.evidence import SignalKind
    from twiceshy.core.note import Note
    from twiceshy.core.trigger import TriggerMatch
    from twiceshy.learning.detect.correction import Correction
    from twiceshy.learning.detect.lesson import MistakeLesson
    from twiceshy.learning.detect.watch import CallPattern
    from twiceshy.learning.sources import SessionOrigin
    from twiceshy.shell.tool_call import ToolCall


_COUNTED_CATEGORIES = frozenset(("usage", "missing", "folder", "large", "outcome"))
ENOUGH_SUCCESSES = 2  # times the very form that failed has to work, one after the other
_NO_MATCH = "no matches found"  # as shells say it of a pattern without quotes
_CALLED_WRONGLY = ("usage", "missing", "folder")
_WORK = ("outcome", "transient")
_MOSTLY = 0.5  # share of failing calls from which on the call itself is wrong


class LearningCounts(Value):
    """Counts of steps, calls and errors read, and of new and repeated notes."""

    steps: int = 0
    calls: int = 0
    errors: int = 0
    corrections: int = 0
    new: int = 0
    again: int = 0

    def __add__(self, other: LearningCounts) -> LearningCounts:
        pairs = zip(self.fields().values(), other.fields().values(), strict=True)
        return LearningCounts(*(int(str(a)) + int(str(b)) for a, b in pairs))


class TriggerIndex:
    """The triggers of a project's notes by lookup word."""

    def __init__(self, matches: Iterable[TriggerMatch]) -> None:
        self._matches: dict[tuple[str, str], dict[str, TriggerMatch]] = {}
        self._keys: dict[str, tuple[str, str]] = {}
        self.remedies = RemedyIndex()
        for match in matches:
            self.put_match(match)

    def put_match(self, match: TriggerMatch) -> None:
        """Add the trigger of a note, replacing the previous trigger."""
        note, key = match.note.id, (match.trigger.tool, match.trigger.lookup_word)
        self._matches.get(self._keys.get(note, key), {}).pop(note, None)
        self._matches.setdefault(key, {})[note] = match
        self._keys[note] = key
        self.remedies.put_note(match.note)

    def count_call(self, notes: Iterable[str], *, failed: bool) -> None:
        """Count a call for notes."""
        for note in notes:
            found = self._matches.get(self._keys.get(note, ("", "")), {})
            if match := found.get(note):
                found[note] = match.but(
                    failed_calls=match.failed_calls + failed,
                    succeeded_calls=match.succeeded_calls + (not failed),
                )

    def find_match(self, note: str) -> TriggerMatch | None:
        """Return a note with its trigger and counts."""
        return self._matches.get(self._keys.get(note, ("", "")), {}).get(note)

    def list_matches(self) -> Iterator[TriggerMatch]:
        """Yield every note with its trigger."""
        for matches in self._matches.values():
            yield from matches.values()

    def match_call(self, act: ToolCall) -> Iterator[TriggerMatch]:
        """Yield the notes about a call."""
        parts = act.parts
        for term in dict.fromkeys(term for part in parts for term in part):
            for tool in dict.fromkeys((act.family, FILES)):
                for match in self._matches.get((tool, term), {}).values():
                    if match.trigger.matches(act.family, parts):
                        yield match

    def match_moved(self, act: ToolCall) -> Iterator[str]:
        """Yield the notes that ask for the folder a call was made in, on its command line."""
        folders = {term for part in act.parts for term in part if term.startswith("cd=")}
        for match in self.list_matches() if folders else ():
            trigger = match.trigger
            if not folders.isdisjoint(trigger.absent) and trigger.but(absent=()).matches(
                act.family, act.parts
            ):
                yield match.note.id

    def find_known(self, lesson: MistakeLesson) -> TriggerMatch | None:
        """Return the known note about the same mistake: equal by key, or with a fix for the call.

        A general note never takes the place of a specific one.
        """
        about = [
            match
            for match in self.match_call(lesson.failed)
            if match.trigger.category == lesson.trigger.category
        ]
        same = [match for match in about if match.note.tag == f"{MISTAKE}{lesson.key}"]
        if not same and lesson.fix is None and lesson.trigger.tool != FILES:
            same = [
                match for match in about if match.has_remedy and _reports(match, lesson.failed)
            ]
        return max(
            same,
            key=lambda match: (
                len(match.trigger.words),
                match.note.scope.project != EVERYWHERE,
                match.note.sightings,
                match.note.id,
            ),
            default=None,
        )


class LearningState:
    """Known triggers, last calls, and new lessons by skill, while learning from a session."""

    def __init__(
        self, app: App, origin: SessionOrigin, *, recent: Iterable[ToolCall] = ()
    ) -> None:
        self.app, self.origin = app, origin
        projects = (*app.store.list_project_ids(origin.project), EVERYWHERE)
        found = app.store.match_triggers(projects)
        self.triggers = TriggerIndex(each for each in found if app.is_welcome(each.note))
        self.recent = list(recent)
        began = NoteFilter(kinds=("lesson",), statuses=(), taught_by=origin.session)
        self.new_lessons = Counter(note.scope.skill for note in app.store.notes(began, limit=None))
        self.rewritten = list_rewritten_calls(app.store, origin.session)
        self.programs: set[str] = set()
        self._shown: list[Note] | None = None

    def add_call(self, act: ToolCall) -> None:
        """Remember a call, and drop the oldest beyond the window of the detectors."""
        self.recent = [*self.recent, act][-WINDOW:]

    def list_shown_notes(self) -> list[Note]:
        """Return the notes shown to the session."""
        if self._shown is None:
            exposures = self.app.store.list_exposures(session=self.origin.session)
            shown = {one.note for one in exposures if not one.withheld}
            notes = (self.app.store.note(each) for each in sorted(shown))
            self._shown = [note for note in notes if note]
        return self._shown


def count_call(state: LearningState, act: ToolCall) -> None:
    """Capture the error of a call, and count the call for the notes about it."""
    store = state.app.store
    if act.id in state.rewritten:
        return  # another call ran in its place
    state.add_call(act)
    if act.command:
        state.programs.update(part[0] for part in act.parts)
    if act.mistake is None and not act.refusal:
        for note in state.triggers.remedies.match_call(act):
            store.count_call([note], REMEDY, failed=False)
        if moved := list(state.triggers.match_moved(act)):
            store.count_call(moved, MOVED, failed=False)
    if act.mistake:
        store.save_records(build_error_signal(state.origin, act))
    about = [match for match in state.triggers.match_call(act) if _concerns_note(match, act)]
    if about and _is_counted(act):
        _count_for_notes(state, [match.note.id for match in about], act)
        retire_outdated_notes(state.app, about, act, state.origin.root)


def count_recent_calls(state: LearningState, match: TriggerMatch) -> None:
    """Count recent calls for a note just written about them."""
    for act in state.recent:
        is_about = match.trigger.matches(act.family, act.parts) and _concerns_note(match, act)
        if is_about and _is_counted(act):
            _count_for_notes(state, [match.note.id], act)


def _count_for_notes(state: LearningState, notes: list[str], act: ToolCall) -> None:
    """Count a call for notes, in the store and in the index, which a later pass reads anew."""
    failed = act.mistake is not None
    state.app.store.count_call(notes, act.place, failed=failed, ran_ms=act.ran_ms)
    state.triggers.count_call(notes, failed=failed)


def _concerns_note(match: TriggerMatch, act: ToolCall) -> bool:
    """True if a call says something about the mistake of a note.

    A folder may be listed as well as read: only its own mistake counts.
    """
    if act.mistake is None:
        return match.trigger.category != "folder"
    if match.trigger.words[0].endswith(GLOB):
        return _NO_MATCH in act.mistake.line
    return match.trigger.category in (act.mistake.category, STATED) and _reports(match, act)


def _reports(match: TriggerMatch, failed: ToolCall) -> bool:
    """True unless work that mostly succeeds failed for another reason than a note quotes."""
    if match.trigger.category not in _WORK or failed.mistake is None:
        return True
    if failing_share(match) >= _MOSTLY or not list_quoted_errors(read_evidence(match.note)):
        return True
    return error_matches_quote(match.note, failed.mistake.line)


def _is_counted(act: ToolCall) -> bool:
    """True if a call is evidence about similar calls; guards and transient errors are not."""
    return act.mistake is None or act.mistake.category in _COUNTED_CATEGORIES


def retire_outdated_notes(
    app: App, about: Iterable[TriggerMatch], act: ToolCall, root: str
) -> None:
    """Retire notes whose failing call, word for word, now works repeatedly.

    Tools are upgraded.
    """
    said = summarise_call(act, root)
    for match in about:
        wrongly = match.trigger.category in _CALLED_WRONGLY and match.note.source == "detector"
        is_there = f"cd={act.place}" in match.trigger.absent  # in the folder that a note asks for
        if not wrongly or is_there or find_forms(match.note)[0] != said:
            continue
        times = app.store.count_call([match.note.id], FORM, failed=act.mistake is not None)
        if times[match.note.id] >= ENOUGH_SUCCESSES:
            reason = f"{OUTDATED}{format_day(act.at)}"
            change_note(app, "retire", match.note, status="retired", reason=reason)


def find_failed_advice(
    matches: Iterable[TriggerMatch], failed: ToolCall, root: str
) -> Note | None:
    """Return the note with the failed call as its advice, if the call was used wrongly."""
    if failed.mistake is None or failed.mistake.category not in _CALLED_WRONGLY:
        return None
    said = summarise_call(failed, root)
    for match in matches:
        note = match.note
        # to parse the lines that a note quotes takes a thousand times as long
        if note.source != "detector" or said not in read_evidence(note):
            continue
        if find_forms(note)[1] == said:
            return note
    return None


def build_error_signal(origin: SessionOrigin, act: ToolCall) -> Signal:
    """Build the signal of a call that failed."""
    target, line = summarise_call(act, origin.root), act.mistake.line if act.mistake else ""
    return _build_signal(origin, act, "error", target, line)


def build_refusal_signal(origin: SessionOrigin, act: ToolCall) -> Signal:
    """Build the signal of a call that the user refused."""
    target, reason = summarise_call(act, origin.root), act.mistake.line if act.mistake else ""
    return _build_signal(origin, act, "refusal", target, reason)


def build_pattern_signal(origin: SessionOrigin, pattern: CallPattern) -> Signal:
    """Build the signal of a loop, a thrash or a workflow."""
    act, target = pattern.call, relative_to_root(pattern.target, origin.root)
    return _build_signal(origin, act, pattern.kind, target, pattern.excerpt)


def _build_signal(
    origin: SessionOrigin, act: ToolCall, kind: SignalKind, target: str, excerpt: str
) -> Signal:
    return Signal(
        key=f"{'call' if kind == 'error' else kind}:{act.id}",
        kind=kind,
        session=origin.session,
        project=origin.project,
        at=act.at,
        skill=act.skill,
        tool=act.tool,
        target=target,
        mistake=act.mistake.signature if act.mistake else "",
        excerpt=cut_excerpt(excerpt),
        call=act.id,
    )


def build_correction_signal(origin: SessionOrigin, correction: Correction) -> Signal:
    """Build the signal of a correction by the user."""
    call = correction.call
    return Signal(
        key=f"said:{correction.id}",
        kind="correction",
        session=origin.session,
        project=origin.project,
        at=correction.at,
        skill=correction.skill,
        tool=call.tool if call else "",
        target=summarise_call(call, origin.root) if call else "",
        mistake=f"{correction.tier}|{correction.category}",
        excerpt=correction.text,
        call=call.id if call else "",
    )
