"""Update views after a session, if switched on; silent."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.interop.views.refresh import FailedView, RefreshReport


def write_views(app: App) -> None:
    """Read and write the views of this project and of projects with views; problems go to the log."""
    if not app.config.flag("views.auto"):
        return
    from twiceshy.interop.views.refresh import refresh_views, sweep_views
    from twiceshy.interop.views.targets import list_targets

    done: set[str] = set()
    for project in {app.current_project().id, *(view.project for view in app.store.list_views())}:
        new = [place for place in list_targets(app, project) if place.spot.path not in done]
        for one in refresh_views(app, new):
            _log_problems(app, one)
        done |= {place.spot.path for place in new}
        sweep_views(app, project)


def _log_problems(app: App, one: RefreshReport | FailedView) -> None:
    from twiceshy.interop.views.refresh import FailedView
    from twiceshy.recall.event_context import log_run

    if isinstance(one, FailedView):
        odd = str(one.error)
    elif one.taken.secret:
        odd = "a secret was taken out"
    else:
        odd = f"lines not taken: {len(one.taken.refused)}" if one.taken.refused else ""
    if odd:
        log_run(app.config, f"views {one.place.name}: {odd}", at=app.store.now())
