"""Write a note for each goal about the steps of most sessions before the goal."""

from __future__ import annotations

from twiceshy.core.draft import Draft
from twiceshy.core.filter import NoteFilter
from twiceshy.core.scope import Scope
from twiceshy.core.trust import ORIGINS
from twiceshy.learning.detect.workflow import find_routines, parse_workflow, render_routine
from twiceshy.notes.write import change_note, write_draft

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.store import Store
    from twiceshy.learning.sources import SessionOrigin

_RECENT_WORKFLOWS = 200  # workflows that are looked at


def keep_routines(app: App, origin: SessionOrigin) -> int:
    """Write or update the routines of a project; return the number of new notes.

    They were observed and not stated by anybody, so they stay on probation until someone accepts
    them.
    """
    seen = app.store.list_signals(origin.project, "workflow", limit=_RECENT_WORKFLOWS)
    workflows = [parse_workflow(signal.excerpt, session=signal.session) for signal in seen]
    new = 0
    for routine in find_routines([workflow for workflow in workflows if workflow]):
        text, known = (
            render_routine(routine),
            _find_routine_note(app.store, origin.project, routine.goal),
        )
        if known is None:
            write_draft(app, _build_draft(text, routine.goal, origin))
            new += 1
        elif known.status == "candidate" and known.text != text:
            change_note(app, "edit", known, text=text)
    return new


def _find_routine_note(store: Store, project: str, goal: str) -> Note | None:
    which = NoteFilter(
        projects=(project,), kinds=("lesson",), subtype="workflow", tag=goal, statuses=()
    )
    return next(iter(store.notes(which, limit=1)), None)


def _build_draft(text: str, goal: str, origin: SessionOrigin) -> Draft:
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
