"""Judge the notes shown to a session by the calls made afterwards."""

from __future__ import annotations

from twiceshy.effect.judge import judge_exposures
from twiceshy.effect.reconsider import reconsider_notes
from twiceshy.learning.detect.watch import TranscriptWatch
from twiceshy.shell.tool_call import ToolCall

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.transcript import Step
    from twiceshy.learning.sources import SessionOrigin

_MOST_CALLS = 5_000  # behind the first note that a session was shown


class ShownNotes:
    """Collects the calls after the first note shown to a session, and judges the notes."""

    def __init__(self, app: App, origin: SessionOrigin) -> None:
        self._app, self._origin = app, origin
        self._exposures = app.store.list_exposures(session=origin.session)
        self._since = min((shown.at for shown in self._exposures), default=0)
        self._watch = TranscriptWatch(root=origin.root)
        self._calls: list[ToolCall] = []

    def add_step(self, step: Step) -> None:
        """Add a step of the transcript."""
        if not self._exposures or len(self._calls) >= _MOST_CALLS:
            return
        for finding in self._watch.feed_step(step):
            if isinstance(finding, ToolCall) and finding.at >= self._since:
                self._calls.append(finding)

    def judge_notes(self) -> None:
        """Keep the outcome of every exposure, and reconsider the notes."""
        if not self._exposures:
            return
        store = self._app.store
        notes = {shown.note: store.note(shown.note) for shown in self._exposures}
        known = {note_id: note for note_id, note in notes.items() if note}
        project = self._origin.project
        store.save_records(
            *judge_exposures(self._exposures, known, self._calls, project=project, over=True)
        )
        reconsider_notes(self._app, known)
