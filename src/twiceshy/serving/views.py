"""Bring a view up to date: first what a hand did in the file, then what the store knows."""

from __future__ import annotations

import os

from twiceshy.core.errors import BusyError, TwiceshyError
from twiceshy.core.formats import Item, joined
from twiceshy.core.moment import SECOND
from twiceshy.core.threeway import edits, keyed, saying
from twiceshy.core.value import Value
from twiceshy.core.views import View
from twiceshy.core.weave import Loom, carried
from twiceshy.exchange.viewing import Spot, damaged, look, put, remove, settled
from twiceshy.serving.view_edits import Hand, Taken
from twiceshy.serving.view_places import places
from twiceshy.stores.turn import Turn
from twiceshy.wording import worded

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from twiceshy.app import App
    from twiceshy.core.formats import Piece
    from twiceshy.core.threeway import Edits
    from twiceshy.exchange.viewing import Seen
    from twiceshy.serving.view_places import Made, Place

    State = Literal["not written", "current", "edited", "set aside"]
    Became = Literal["written", "unchanged", "set aside", "nothing to show", "read"]

_PATIENCE_S = 30.0
_TRIES = 20
_MANY = 3
# Nobody has a file open for longer than this without looking at it again, most of the time.
_OPEN_FOR = 600 * SECOND
BEFORE = "~"  # what a view was some time ago is kept under its path with this, as editors do


class Refreshed(Value):
    """What became of a view, what the file was and is, and what was taken from a hand's edits."""

    place: Place
    became: Became
    old: str = ""
    new: str = ""
    taken: Taken = Taken()


def refresh(app: App, place: Place, *, asked: bool = False, write: bool = True) -> Refreshed:
    """Read a view's file and write it; ``asked`` writes even a file that the user has deleted.

    Without ``write`` what a hand did is taken in, and the file stays as it is.
    """
    with Turn(os.path.join(app.config.home, "views.lock"), _PATIENCE_S) as ours:
        if not ours:
            raise BusyError("another process writes views", hint="try again in a moment")
        for _ in range(_TRIES):
            done = _Visit(app, place, asked=asked, write=write).made()
            if done is not None:
                return done
    raise BusyError(f"{place.spot.path} keeps changing", hint="try again when it is saved")


def planned(app: App, place: Place, *, asked: bool = False, write: bool = True) -> Refreshed:
    """Tell what ``refresh`` would do, and do nothing."""
    visit = _Visit(app, place, asked=asked, write=write, rehearsal=True)
    return app.store.rehearse(visit.made) or Refreshed(place, "unchanged")


def state_of(app: App, place: Place) -> tuple[State, int]:
    """Tell how a view stands, and when it was written last; a file that cannot be read is no view."""
    view = app.store.view(place.spot.path)
    if view is None:
        return "not written", 0
    seen = look(place.spot)
    if seen is None or not view.body:
        return "set aside" if not view.body else "not written", view.at
    return "current" if place.made or seen.text == view.body else "edited", view.at


def leave_out_forgotten(app: App) -> list[str]:
    """Take what was forgotten out of every file we wrote; return the files that still may tell of it."""
    written = [view for view in app.store.views() if view.body and not view.path.endswith(BEFORE)]
    left: list[str] = []
    for project in {view.project for view in written}:
        ours = {view.path for view in written if view.project == project}
        found = [place for place in places(app, project) if place.spot.path in ours]
        left += [path for place in found for path in _leave_out(app, place)]
        sweep(app, project)
        for path in ours - {place.spot.path for place in found}:
            app.store.drop_view(path)
            left += [path] if os.path.lexists(path) else []
    for view in app.store.views():
        if view.path.endswith(BEFORE):
            app.store.drop_view(view.path)
    return left


def sweep(app: App, project: str) -> list[str]:
    """Remove files below the memory home of which nothing is kept any more and that nobody edited."""
    root = os.path.join(app.config.home, "views")
    shown = {place.spot.path for place in places(app, project)}
    gone = []
    for view in app.store.views():
        inside = view.path.startswith(root + os.sep) and not view.path.endswith(BEFORE)
        if not inside or view.project != project or view.path in shown:
            continue
        spot = Spot(view.path, root)
        seen = look(spot)
        if seen is None or (seen.text == view.body and remove(spot, seen)):
            app.store.drop_view(view.path)
            app.store.drop_view(view.path + BEFORE)
            gone += [view.path] if seen else []
    return gone


def _leave_out(app: App, place: Place) -> list[str]:
    try:
        refresh(app, place)
    except TwiceshyError:
        return [place.spot.path]
    return []


class _Visit:
    """One look at a file, and what follows from it."""

    def __init__(
        self, app: App, place: Place, *, asked: bool, write: bool, rehearsal: bool = False
    ) -> None:
        self._app, self._place = app, place
        self._asked, self._write, self._rehearsal = asked, write, rehearsal

    def made(self) -> Refreshed | None:
        """Return what was done; None if the file changed meanwhile, and nothing was written."""
        seen = look(self._place.spot)
        view = self._app.store.view(self._place.spot.path)
        if seen is None or not seen.text.strip():
            return self._missing(seen, view)
        return self._brought_up(seen, view)

    def _missing(self, seen: Seen | None, view: View | None) -> Refreshed | None:
        """Write a file that is not there, unless somebody deleted it: its folder is still there."""
        place = self._place
        there = os.path.isdir(os.path.dirname(place.spot.path))
        if view is not None and (there or not view.body) and not self._asked:
            self._keep(view, "")
            return Refreshed(place, "set aside")
        shown = place.things(self._app)
        if not self._write or not shown:
            return Refreshed(place, "nothing to show")
        new = joined(place.written(self._app, shown))
        return self._put(seen, new, base=new, view=view, taken=Taken())

    def _brought_up(self, seen: Seen, view: View | None) -> Refreshed | None:
        """Take in what a hand did to a file, and bring it up to date."""
        place, app = self._place, self._app
        place.refuse_damaged(seen.text, known=view is not None)
        safe, secret = _redacted(place.read(app, seen.text), app)
        file, base = place.read(app, safe), view.body if view else ""
        hand = Hand(app, place, foreign=not base)
        if place.made == "episode" and not base:  # a file that was there before tells more
            base = joined(place.written(app, place.things(app)))
        done = self._edits(file, base)
        if done.deleted and not settled(place.spot, seen):
            return None
        taken = hand.take(done).but(secret=secret)
        if not self._write:
            kept = base if place.made else safe
            read = self._put(seen, safe, base=kept, view=view, taken=taken)
            return read and read.but(became="read")
        shown = place.things(app)
        fresh = place.written(app, shown)
        if place.made:
            new = _made(file, fresh, base=base, how=place.made)
            return self._put(seen, new, base=joined(fresh), view=view, taken=taken)
        loom = Loom(fresh, place.written(app, ()), hand.names(shown), hand.gone)
        new = place.woven(file, loom)
        return self._put(seen, new, base=new, view=view, taken=taken)

    def _edits(self, file: Sequence[Piece], base: str) -> Edits:
        """Return what a hand did; that it deleted everything is more than a hand is believed."""
        place, app = self._place, self._app
        before = app.store.view(place.spot.path + BEFORE)
        older = place.read(app, before.body) if before and before.body and base else None
        written = place.read(app, base) if base else ()
        done = edits(file, written, older)
        there = keyed(written).keys() & keyed(file).keys()
        if len(keyed(written)) >= _MANY and done.deleted and not (there or done.edited):
            hint = worded("to retire them all: twiceshy clear; to have the file again, delete it")
            raise damaged(place.spot.path, worded("tells nothing of what it told"), hint)
        return done

    def _put(
        self, seen: Seen | None, new: str, *, base: str, view: View | None, taken: Taken
    ) -> Refreshed | None:
        old = seen.text if seen else ""
        changed = new != old
        if changed and not self._rehearsal and not put(self._place.spot, new, seen):
            return None
        self._keep(view, base)
        return Refreshed(self._place, "written" if changed else "unchanged", old, new, taken)

    def _keep(self, view: View | None, body: str) -> None:
        """Remember what the file says now, and for a while what it said before."""
        place, store = self._place, self._app.store
        if view is not None and view.body == body:
            return
        now = store.now()
        path = place.spot.path
        if view is not None and view.body:
            older = store.view(path + BEFORE)
            if older is None or view.at - older.at > _OPEN_FOR:
                store.keep_view(view.but(path=path + BEFORE))
        about = place.about
        store.keep_view(View(path, place.format, about.project, about.skill, body, now))


def _made(file: Sequence[Piece], fresh: Sequence[Piece], *, base: str, how: Made) -> str:
    """Return a file that is made anew, with the lines in it that are not ours."""
    text, new = joined(file), joined(fresh)
    if how == "file":
        return new
    if how == "episode" and [*map(saying, keyed(file).values())] == [
        *map(saying, keyed(fresh).values())
    ]:
        return text
    return carried(base, text, new)


def _redacted(pieces: Sequence[Piece], app: App) -> tuple[str, bool]:
    """Return a file without secrets, and whether there were any.

    Piece by piece: a private passage that nobody closed must not take all that follows with it.
    """
    raw = [piece.raw if isinstance(piece, Item) else piece for piece in pieces]
    safe = [app.redact(text) for text in raw]
    return "".join(safe), safe != raw
