"""Judge the notes shown to a session by the calls made afterwards."""

from __future__ import annotations

from twiceshy.effect.judge import judge
from twiceshy.effect.reconsider import reconsider
from twiceshy.learning.detect.watch import Watch
from twiceshy.shell.tool_call import Act

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
        self._exposures = app.store.exposures(session=origin.session)
        self._since = min((shown.at for shown in self._exposures), default=0)
        self._watch = Watch(root=origin.root)
        self._calls: list[Act] = []

    def take(self, step: Step) -> None:
        """Add a step of the transcript."""
        if not self._exposures or len(self._calls) >= _MOST_CALLS:
            return
        for finding in self._watch.feed(step):
            if isinstance(finding, Act) and finding.at >= self._since:
                self._calls.append(finding)

    def judge(self) -> None:
        """Keep the outcome of every exposure, and reconsider the notes."""
        if not self._exposures:
            return
        store = self._app.store
        notes = {shown.note: store.note(shown.note) for shown in self._exposures}
        known = {note_id: note for note_id, note in notes.items() if note}
        project = self._origin.project
        store.keep(*judge(self._exposures, known, self._calls, project=project, over=True))
        reconsider(self._app, known)
