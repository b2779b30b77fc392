"""What most sessions of a project do before they reach a goal becomes one note for every goal."""

from __future__ import annotations

from twiceshy.core.draft import Draft
from twiceshy.core.filter import Filter
from twiceshy.core.scope import Scope
from twiceshy.core.trust import ORIGINS
from twiceshy.learning.detect.workflow import parsed, routine_text, routines

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.note import Note
    from twiceshy.core.store import Store
    from twiceshy.learning.notes import Ways

_LATELY = 200  # workflows that are looked at


def keep_routines(store: Store, project: str, session: str, ways: Ways) -> int:
    """Write down the routines of a project, or say anew what became of them; return how many are new.

    They were observed and not said by anybody, so they stay on probation until someone accepts them.
    """
    seen = store.signals_of(project, "workflow", limit=_LATELY)
    workflows = [parsed(signal.excerpt, session=signal.session) for signal in seen]
    new = 0
    for routine in routines([workflow for workflow in workflows if workflow]):
        text, known = routine_text(routine), _known(store, project, routine.goal)
        if known is None:
            ways.write(_draft(text, routine.goal, project, session))
            new += 1
        elif known.life == "candidate" and known.text != text:
            ways.change("edit", known, text=text)
    return new


def _known(store: Store, project: str, goal: str) -> Note | None:
    which = Filter(projects=(project,), kinds=("lesson",), subtype="workflow", tag=goal, lives=())
    return next(iter(store.notes(which, limit=1)), None)


def _draft(text: str, goal: str, project: str, session: str) -> Draft:
    return Draft(
        kind="lesson",
        subtype="workflow",
        text=text,
        scope=Scope(project),
        source="detector",
        tag=goal,
        trust=ORIGINS["command"],
        origin_project=project,
        origin_session=session,
    )
