"""Write a note for each goal about the steps of most sessions before the goal."""

from __future__ import annotations

from twiceshy.core.draft import Draft
from twiceshy.core.filter import Filter
from twiceshy.core.scope import Scope
from twiceshy.core.trust import ORIGINS
from twiceshy.learning.detect.workflow import parsed, routine_text, routines
from twiceshy.notes.write import change, write

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.store import Store
    from twiceshy.learning.sources import SessionOrigin

_LATELY = 200  # workflows that are looked at


def keep_routines(app: App, origin: SessionOrigin) -> int:
    """Write or update the routines of a project; return the number of new notes.

    They were observed and not stated by anybody, so they stay on probation until someone accepts
    them.
    """
    seen = app.store.signals_of(origin.project, "workflow", limit=_LATELY)
    workflows = [parsed(signal.excerpt, session=signal.session) for signal in seen]
    new = 0
    for routine in routines([workflow for workflow in workflows if workflow]):
        text, known = routine_text(routine), _known(app.store, origin.project, routine.goal)
        if known is None:
            write(app, _draft(text, routine.goal, origin))
            new += 1
        elif known.status == "candidate" and known.text != text:
            change(app, "edit", known, text=text)
    return new


def _known(store: Store, project: str, goal: str) -> Note | None:
    which = Filter(
        projects=(project,), kinds=("lesson",), subtype="workflow", tag=goal, statuses=()
    )
    return next(iter(store.notes(which, limit=1)), None)


def _draft(text: str, goal: str, origin: SessionOrigin) -> Draft:
    return Draft(
        kind="lesson",
        subtype="workflow",
        text=text,
        scope=Scope(origin.project),
        source="detector",
        tag=goal,
        trust=ORIGINS["command"],
        origin_project=origin.project,
        origin_session=origin.session,
    )
