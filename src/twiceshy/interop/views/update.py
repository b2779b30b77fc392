"""Update a view: apply hand edits first, then write current content."""

from __future__ import annotations

import os

from twiceshy.core.errors import BusyError, TwiceshyError
from twiceshy.core.moment import SECOND
from twiceshy.core.value import Value
from twiceshy.core.view import View
from twiceshy.files.lock import Turn
from twiceshy.interop.formats import Item, joined
from twiceshy.interop.views.edits import Hand, Taken
from twiceshy.interop.views.files import (
    Seen,
    Spot,
    ViewError,
    damaged,
    look,
    put,
    remove,
    settled,
)
from twiceshy.interop.views.targets import places
from twiceshy.interop.views.threeway import edits, keyed, saying
from twiceshy.interop.views.weave import Loom, carried
from twiceshy.wording import worded

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Literal

    from twiceshy.app import App
    from twiceshy.core.store import Store
    from twiceshy.interop.formats import Piece
    from twiceshy.interop.views.targets import Made, Place
    from twiceshy.interop.views.threeway import Edits

    State = Literal["not written", "current", "edited", "set aside"]
    Became = Literal["written", "unchanged", "set aside", "nothing to show", "read"]

_PATIENCE_S = 30.0
_TRIES = 20
_MANY = 3
# Nobody has a file open for longer than this without looking at it again, most of the time.
_OPEN_FOR = 600 * SECOND
# Under the path of a view with one of these is kept what it was some time ago, and of a hub, of which
# most is not read, what it said last.
BEFORE, SAID = "~", "+"
_ASIDE = (BEFORE, SAID)


class Refreshed(Value):
    """Result of a refresh: action, old and new text, applied edits."""

    place: Place
    became: Became
    old: str = ""
    new: str = ""
    taken: Taken = Taken()

    def then(self, later: Refreshed | Failed) -> Refreshed | Failed:
        """Combine with the result of a second pass."""
        if isinstance(later, Failed):
            return later
        became = self.became if later.became == "unchanged" else later.became
        return later.but(became=became, old=self.old, taken=self.taken.and_then(later.taken))


def refresh(app: App, place: Place, *, asked: bool = False, write: bool = True) -> Refreshed:
    """Read and write a view; ``asked`` writes even a file deleted by the user.

    Without ``write`` hand edits are applied, and the file stays.
    """
    with Turn(os.path.join(app.config.home, "views.lock"), _PATIENCE_S) as ours:
        if not ours:
            raise BusyError("another process writes views", hint="try again in a moment")
        for _ in range(_TRIES):
            done = _Visit(app, place, asked=asked, write=write).made()
            if done is not None:
                return done
    raise BusyError(f"{place.spot.path} keeps changing", hint="try again when it is saved")


class Failed(Value):
    """A view that could not be refreshed, with the reason."""

    place: Place
    error: TwiceshyError


def refresh_all(
    app: App, chosen: Sequence[Place], *, asked: bool = False, write: bool = True
) -> list[Refreshed | Failed]:
    """Refresh views; a failing view stops no other view.

    An edit of one file may concern an earlier file: then every view is refreshed once more, so
    that files agree.
    """
    return _twice(chosen, lambda place: refresh(app, place, asked=asked, write=write), write=write)


def planned(
    app: App, chosen: Sequence[Place], *, asked: bool = False, write: bool = True
) -> list[Refreshed | Failed]:
    """Plan a refresh without doing anything."""
    desk: dict[str, str] = {}

    def seen(place: Place) -> Refreshed:
        visit = _Visit(app, place, asked=asked, write=write, desk=desk)
        return visit.made() or Refreshed(place, "unchanged")

    with app.store.change(rehearsal=True):
        return _twice(chosen, seen, write=write)


def _twice(
    chosen: Sequence[Place], act: Callable[[Place], Refreshed], *, write: bool
) -> list[Refreshed | Failed]:
    done = [_tried(act, place) for place in chosen]
    if not write or not any(isinstance(one, Refreshed) and one.taken for one in done):
        return done
    return [
        one.then(_tried(act, one.place)) if isinstance(one, Refreshed) else one for one in done
    ]


def _tried(act: Callable[[Place], Refreshed], place: Place) -> Refreshed | Failed:
    try:
        return act(place)
    except TwiceshyError as error:
        return Failed(place, error)


def state_of(app: App, place: Place) -> tuple[State, int]:
    """Return the state of a view, and its last write; unreadable files are no views."""
    view = _last_written(app.store, place.spot.path)
    if view is None:
        return "not written", 0
    seen = look(place.spot)
    if seen is None or not view.body:
        return "set aside" if not view.body else "not written", view.at
    return "current" if place.made or seen.text == view.body else "edited", view.at


def leave_out_forgotten(app: App) -> list[str]:
    """Erase forgotten notes from every view; return files that may still hold them."""
    written = [view for view in app.store.views() if view.body and not view.path.endswith(_ASIDE)]
    left: list[str] = []
    for project in {view.project for view in written}:
        ours = {view.path for view in written if view.project == project}
        found = [place for place in places(app, project) if place.spot.path in ours]
        left += [path for place in found for path in _leave_out(app, place)]
        sweep(app, project)
        for path in ours - {place.spot.path for place in found}:
            app.store.drop(View, path)
            left += [path] if os.path.lexists(path) else []
    for view in app.store.views():
        if view.path.endswith(_ASIDE):
            app.store.drop(View, view.path)
    return left


def sweep(app: App, project: str) -> list[str]:
    """Remove unedited files below the memory home without content."""
    root = os.path.join(app.config.home, "views")
    shown = {place.spot.path for place in places(app, project)}
    gone = []
    for view in app.store.views():
        inside = view.path.startswith(root + os.sep) and not view.path.endswith(_ASIDE)
        if not inside or view.project != project or view.path in shown:
            continue
        spot = Spot(view.path, root)
        seen = look(spot)
        if seen is None or (seen.text == view.body and remove(spot, seen)):
            for path in (view.path, view.path + BEFORE, view.path + SAID):
                app.store.drop(View, path)
            gone += [view.path] if seen else []
    return gone


def _leave_out(app: App, place: Place) -> list[str]:
    try:
        refresh(app, place)
    except TwiceshyError:
        return [place.spot.path]
    return []


class _Visit:
    """One pass over a view file."""

    def __init__(
        self,
        app: App,
        place: Place,
        *,
        asked: bool,
        write: bool,
        desk: dict[str, str] | None = None,
    ) -> None:
        """Read a file; with a plan desk, writes go there only."""
        self._app, self._place = app, place
        self._asked, self._write, self._desk = asked, write, desk

    def made(self) -> Refreshed | None:
        """Return the result; None if the file changed meanwhile."""
        seen = self._seen()
        view = _last_written(self._app.store, self._place.spot.path)
        if seen is not None and seen.text.strip():
            try:
                return self._brought_up(seen, view)
            except ViewError:  # a file that an editor has not finished writing is not damaged
                if self._whole(seen):
                    raise
                return None
        if seen is not None and not self._whole(seen):
            return None
        return self._missing(seen, view)

    def _missing(self, seen: Seen | None, view: View | None) -> Refreshed | None:
        """Write a missing file, unless deleted by a person: its folder still exists."""
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
        """Apply hand edits of a file, and update it."""
        place, app = self._place, self._app
        place.refuse_damaged(seen.text, known=view is not None)
        safe, secret = _redacted(place.read(app, seen.text), app)
        file, base = place.read(app, safe), view.body if view else ""
        hand = Hand(app, place, foreign=not base)
        if not base and (known := place.episode(app)):  # a file that was there before tells more
            base = joined(place.written(app, [known]))
        done = self._edits(file, base)
        if done and not self._whole(seen):
            return None
        taken = hand.take(done).but(secret=secret)
        if not self._write:
            told = base if place.made else joined(hand.as_told(file))
            read = self._put(seen, safe, base=told, view=view, taken=taken)
            return read and read.but(became="read")
        shown = place.things(app)
        fresh = place.written(app, shown)
        if place.made:
            left = [one for one in file if isinstance(one, str) or not hand.gone(one)]
            new = _made(left, fresh, base=base, how=place.made)
            return self._put(seen, new, base=joined(fresh), view=view, taken=taken)
        loom = Loom(fresh, place.written(app, ()), hand.names(shown), hand.gone, hand.refused)
        new = place.woven(file, loom)
        told = joined(hand.as_told(place.read(app, new)))
        return self._put(seen, new, base=told, view=view, taken=taken)

    def _edits(self, file: Sequence[Piece], base: str) -> Edits:
        """Return hand edits; deleting everything is not believed."""
        place, app = self._place, self._app
        hub = place.made == "hub"
        aside = _last_written(app.store, place.spot.path + (SAID if hub else BEFORE))
        other = place.read(app, aside.body) if aside and aside.body and base else None
        last = other or () if hub else place.read(app, base) if base else ()
        done = edits(file, last, None if hub else other)
        there = keyed(last).keys() & keyed(file).keys()
        if len(keyed(last)) >= _MANY and done.deleted and not (there or done.edited):
            hint = worded("to retire them all: twiceshy clear; to have the file again, delete it")
            raise damaged(place.spot.path, worded("tells nothing of what it told"), hint)
        return done

    def _put(
        self, seen: Seen | None, new: str, *, base: str, view: View | None, taken: Taken
    ) -> Refreshed | None:
        old = seen.text if seen else ""
        changed = new != old
        if changed and not self._written(new, seen):
            return None
        self._keep(view, base)
        if self._place.made == "hub":
            self._keep_aside(SAID, new)
        return Refreshed(self._place, "written" if changed else "unchanged", old, new, taken)

    def _whole(self, seen: Seen) -> bool:
        """True if nobody is writing the file now."""
        return self._desk is not None or settled(self._place.spot, seen)

    def _seen(self) -> Seen | None:
        spot = self._place.spot
        if self._desk is not None and spot.path in self._desk:
            return Seen(self._desk[spot.path], (0, 0, 0))
        return look(spot)

    def _written(self, new: str, seen: Seen | None) -> bool:
        if self._desk is None:
            return put(self._place.spot, new, seen)
        self._desk[self._place.spot.path] = new
        return True

    def _keep(self, view: View | None, body: str) -> None:
        """Record the current text, and for a while the text before."""
        place, store = self._place, self._app.store
        if view is not None and view.body == body:
            return
        path = place.spot.path
        if view is not None and view.body:
            older = _last_written(store, path + BEFORE)
            if older is None or view.at - older.at > _OPEN_FOR:
                store.keep(view.but(path=path + BEFORE))
        self._keep_aside("", body)

    def _keep_aside(self, suffix: str, body: str) -> None:
        place, store = self._place, self._app.store
        about, path = place.about, place.spot.path + suffix
        store.keep(View(path, place.format, about.project, about.skill, body, store.now()))


def _last_written(store: Store, path: str) -> View | None:
    return next(iter(store.views(path)), None)


def _made(file: Sequence[Piece], fresh: Sequence[Piece], *, base: str, how: Made) -> str:
    """Return a regenerated file with its foreign lines."""
    text, new = joined(file), joined(fresh)
    if how == "file":
        return new
    if how == "episode" and [*map(saying, keyed(file).values())] == [
        *map(saying, keyed(fresh).values())
    ]:
        return text
    return carried(base, text, new)


def _redacted(pieces: Sequence[Piece], app: App) -> tuple[str, bool]:
    """Return a file without secrets, and whether any were found.

    Piece by piece: an unclosed private passage must not swallow the rest.
    """
    raw = [piece.raw if isinstance(piece, Item) else piece for piece in pieces]
    safe = [app.redact(text) for text in raw]
    return "".join(safe), safe != raw
