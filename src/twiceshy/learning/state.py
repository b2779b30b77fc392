"""State and counts of learning from a session."""

from __future__ import annotations

from collections import Counter

from twiceshy.core.filter import NoteFilter
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.value import Value
from twiceshy.learning.detect.watch import WINDOW
from twiceshy.learning.trigger_index import TriggerIndex

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.app import App
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
