"""Take in every hand edit, erase what was forgotten, and remove files that have nothing to show."""

from __future__ import annotations

import os

from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.view import ViewRecord
from twiceshy.interop.views.files import FileLocation, read_snapshot, remove_unchanged
from twiceshy.interop.views.refresh import (
    BEFORE,
    SAID,
    UNREAD,
    FailedView,
    RefreshReport,
    keep_text,
    refresh_views,
)
from twiceshy.interop.views.targets import list_targets
from twiceshy.interop.views.vault import vault_root

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.app import App
    from twiceshy.interop.views.folders import ViewTarget

_ASIDE = (BEFORE, SAID, UNREAD)


def take_in_edits(app: App) -> None:
    """Apply the hand edits of every view file that is there, so that none comes back later.

    Lines that were refused stay in the file. They are kept as lines of ours, from which an erasure takes quotations.
    """
    for project in {view.project for view in app.store.list_views() if view.body}:
        written = {view.path for view in app.store.list_views() if view.body}
        for done in refresh_views(app, _list_written(app, project, written)):
            if isinstance(done, RefreshReport) and done.taken.unread:
                keep_text(app.store, done.place, UNREAD, "".join(done.taken.unread))


def erase_forgotten(app: App) -> list[str]:
    """Erase forgotten notes from every view; return files that may still hold them."""
    written = [
        view for view in app.store.list_views() if view.body and not view.path.endswith(_ASIDE)
    ]
    left: list[str] = []
    for project in {view.project for view in written}:
        ours = {view.path for view in written if view.project == project}
        found = _list_written(app, project, ours)
        done = refresh_views(app, found)
        left += [one.place.spot.path for one in done if isinstance(one, FailedView)]
        sweep_views(app, project)
        for path in ours.difference(*((place.spot.path, place.former) for place in found)):
            app.store.drop_records(ViewRecord, path)
            left += [path] if os.path.lexists(path) else []
    for view in app.store.list_views():
        if view.path.endswith(_ASIDE):
            app.store.drop_records(ViewRecord, view.path)
    return left


def _list_written(app: App, project: str, written: set[str]) -> list[ViewTarget]:
    """Return the views of a project that were written, under their present name or the one before."""
    return [
        place
        for place in list_targets(app, project)
        if not written.isdisjoint((place.spot.path, place.former))
    ]


def sweep_views(
    app: App, project: str, done: Sequence[RefreshReport | FailedView] = ()
) -> list[str]:
    """Remove unedited files without content below the memory home and in the vault.

    ``done`` is what was just refreshed: unless edits came in, nothing else has content now.
    """
    edited = any(isinstance(one, RefreshReport) and one.taken for one in done)
    places = [one.place for one in done] if done and not edited else list_targets(app, project)
    roots = (os.path.join(app.config.home, "views"), vault_root(app))
    shown = {place.spot.path for place in places}
    mine = (*app.store.list_project_ids(project), EVERYWHERE)
    gone = []
    for view in app.store.list_views():
        root = next((one for one in roots if view.path.startswith(os.path.join(one, ""))), "")
        stays = view.path in shown or view.path.endswith(_ASIDE)
        if not root or stays or view.project not in mine:
            continue
        spot = FileLocation(view.path, root)
        seen = read_snapshot(spot)
        if seen is None or (seen.text == view.body and remove_unchanged(spot, seen)):
            for path in (view.path, *(view.path + suffix for suffix in _ASIDE)):
                app.store.drop_records(ViewRecord, path)
            gone += [view.path] if seen else []
    return gone
