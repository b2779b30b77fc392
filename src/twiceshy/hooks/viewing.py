"""Bring views up to date after a session, if the user switched that on; nobody waits, nothing fails aloud."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.serving.view_places import Place


def write_views(app: App) -> None:
    """Read and write the views of this project, and of those that have some; the log tells what was odd."""
    if not app.config.flag("views.auto"):
        return
    from twiceshy.serving.view_places import places
    from twiceshy.serving.views import sweep

    done: set[str] = set()
    for project in {app.here().id, *(view.project for view in app.store.views())}:
        for place in places(app, project):
            if place.spot.path not in done:
                _write(app, place)
                done.add(place.spot.path)
        sweep(app, project)


def _write(app: App, place: Place) -> None:
    from twiceshy.answering.desk import log_run
    from twiceshy.core.errors import TwiceshyError
    from twiceshy.serving.views import refresh

    try:
        taken = refresh(app, place).taken
        odd = "a secret was taken out" if taken.secret else ""
        odd = odd or (f"lines not taken: {len(taken.refused)}" if taken.refused else "")
    except TwiceshyError as error:
        odd = str(error)
    if odd:
        log_run(app.config, f"views {place.name}: {odd}", at=app.store.now())
