"""State and counts of learning from a session."""

from __future__ import annotations

from collections import Counter

from twiceshy.core.filter import NoteFilter
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.value import Value
from twiceshy.learning.detect.watch import WINDOW

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twiceshy.app import App
    from twiceshy.core.trigger import Trigger, TriggerMatch
    from twiceshy.learning.sources import SessionOrigin
    from twiceshy.shell.tool_call import ToolCall


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
        for match in matches:
            self.put_match(match)

    def put_match(self, match: TriggerMatch) -> None:
        """Add the trigger of a note, replacing the previous trigger."""
        note, key = match.note.id, (match.trigger.tool, match.trigger.lookup_word)
        self._matches.get(self._keys.get(note, key), {}).pop(note, None)
        self._matches.setdefault(key, {})[note] = match
        self._keys[note] = key

    def list_matches(self) -> Iterator[TriggerMatch]:
        """Yield every note with its trigger."""
        for matches in self._matches.values():
            yield from matches.values()

    def match_call(self, act: ToolCall) -> Iterator[TriggerMatch]:
        """Yield the notes about a call."""
        parts = act.parts
        for gram in dict.fromkeys(gram for part in parts for gram in part):
            for match in self._matches.get((act.family, gram), {}).values():
                if match.trigger.matches(act.family, parts):
                    yield match

    def find_known(self, trigger: Trigger, failed: ToolCall) -> TriggerMatch | None:
        """Return the most specific known note about the same mistake in a call."""
        about = [
            match
            for match in self.match_call(failed)
            if match.trigger.category == trigger.category
            and set(match.trigger.words) <= set(trigger.words)
        ]
        same = [match for match in about if match.trigger == trigger]
        return max(
            same or about,
            key=lambda match: (len(match.trigger.words), match.note.sightings, match.note.id),
            default=None,
        )


class LearningState:
    """Known triggers, last calls, and new lessons by skill, while learning from a session."""

    def __init__(
        self, app: App, origin: SessionOrigin, *, recent: Iterable[ToolCall] = ()
    ) -> None:
        self.app, self.origin = app, origin
        projects = (*app.store.list_project_ids(origin.project), EVERYWHERE)
        self.triggers = TriggerIndex(app.store.match_triggers(projects))
        self.recent = list(recent)
        began = NoteFilter(kinds=("lesson",), statuses=(), taught_by=origin.session)
        self.new_lessons = Counter(note.scope.skill for note in app.store.notes(began, limit=None))
        self._shown: list[str] | None = None

    def add_call(self, act: ToolCall) -> None:
        """Remember a call, and drop the oldest beyond the window of the detectors."""
        self.recent = [*self.recent, act][-WINDOW:]

    def list_shown_texts(self) -> list[str]:
        """Return the texts of the notes shown to the session."""
        if self._shown is None:
            exposures = self.app.store.list_exposures(session=self.origin.session)
            shown = {one.note for one in exposures if not one.withheld}
            notes = (self.app.store.note(each) for each in sorted(shown))
            self._shown = [note.text for note in notes if note]
        return self._shown
