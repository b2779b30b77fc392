"""Update a view: apply hand edits first, then write current content."""

from __future__ import annotations

import os
from functools import partial

from twiceshy.core.errors import BusyError, TwiceshyError
from twiceshy.core.grouping import group_by
from twiceshy.core.moment import SECOND
from twiceshy.core.value import Value
from twiceshy.core.view import ViewRecord
from twiceshy.files.lock import FileLock
from twiceshy.interop.formats import ParsedItem, join_pieces
from twiceshy.interop.views.edits import EditsResult, HandEdit
from twiceshy.interop.views.files import (
    FileSnapshot,
    ViewError,
    build_damage_error,
    is_same_file,
    read_change_time,
    read_snapshot,
    rename_inside,
    wait_until_settled,
    write_over,
)
from twiceshy.interop.views.threeway import find_edits, item_content, items_by_key
from twiceshy.interop.views.update_text import ViewUpdate, carry_foreign_lines
from twiceshy.notes.vouch import answer_as
from twiceshy.wording import worded

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from typing import Literal

    from twiceshy.app import App
    from twiceshy.core.store import Store
    from twiceshy.interop.formats import Piece
    from twiceshy.interop.views.folders import Made, ViewTarget
    from twiceshy.interop.views.threeway import Edits

    State = Literal["not written", "current", "edited", "set aside"]
    Became = Literal["written", "unchanged", "set aside", "nothing to show", "read"]

_PATIENCE_S = 30.0
_TRIES = 20
_MANY = 3
# Nobody has a file open for longer than this without looking at it again, most of the time.
_OPEN_FOR = 600 * SECOND
# Under the path of a view with one of these is kept what it was some time ago, and of a hub, of which
# most is not read, what it said last; while something is erased, the lines that were refused.
BEFORE, SAID, UNREAD = "~", "+", "!"


class RefreshReport(Value):
    """Result of a refresh: action, old and new text, applied edits."""

    place: ViewTarget
    became: Became
    old: str = ""
    new: str = ""
    taken: EditsResult = EditsResult()

    def combine_with(self, later: RefreshReport | FailedView) -> RefreshReport | FailedView:
        """Combine with the result of a second pass."""
        if isinstance(later, FailedView):
            return later
        became = self.became if later.became == "unchanged" else later.became
        return later.but(became=became, old=self.old, taken=self.taken.combine_with(later.taken))


def refresh_view(
    app: App,
    place: ViewTarget,
    *,
    asked: bool = False,
    write: bool = True,
    anew: Collection[str] = (),
) -> RefreshReport:
    """Read and write a view; ``asked`` writes even a file deleted by the user.

    Files ``anew`` are written because their whole folder was deleted.

    Without ``write`` hand edits are applied, and the file stays.
    """
    with FileLock(os.path.join(app.config.home, "views.lock"), _PATIENCE_S) as ours:
        if not ours:
            raise BusyError("another process writes views", hint="try again in a moment")
        if place.former:
            _move_file(app.store, place)
        for _ in range(_TRIES):
            done = _ViewVisit(app, place, asked=asked, write=write, anew=anew).run_visit()
            if done is not None:
                return done
    raise BusyError(f"{place.spot.path} keeps changing", hint="try again when it is saved")


def _move_file(store: Store, place: ViewTarget) -> None:
    """Move a file, and what was written there last, to its new name; never over another file."""
    path, former = place.spot.path, place.former
    taken = os.path.lexists(path) and not is_same_file(path, former)
    if taken or _last_written(store, path) is not None:
        return
    rename_inside(place.spot, former)
    with store.change():
        for suffix in ("", BEFORE, SAID):
            if view := _last_written(store, former + suffix):
                store.save_records(view.but(path=path + suffix))
                store.drop_records(ViewRecord, former + suffix)


class FailedView(Value):
    """A view that could not be refreshed, with the reason."""

    place: ViewTarget
    error: TwiceshyError


def refresh_views(
    app: App, chosen: Sequence[ViewTarget], *, asked: bool = False, write: bool = True
) -> list[RefreshReport | FailedView]:
    """Refresh views; a failing view stops no other view.

    An edit of one file may concern an earlier file: then every view is refreshed once more, so
    that files agree.
    """
    anew = _find_deleted_folders(app, chosen)
    act = partial(refresh_view, app, asked=asked, write=write, anew=anew)
    return _refresh_twice(chosen, act, write=write)


def plan_refresh(
    app: App, chosen: Sequence[ViewTarget], *, asked: bool = False, write: bool = True
) -> list[RefreshReport | FailedView]:
    """Plan a refresh without doing anything."""
    planned: dict[str, str] = {}
    anew = _find_deleted_folders(app, chosen)

    def seen(place: ViewTarget) -> RefreshReport:
        visit = _ViewVisit(app, place, asked=asked, write=write, anew=anew, planned=planned)
        return visit.run_visit() or RefreshReport(place, "unchanged")

    with app.store.change(rehearsal=True):
        return _refresh_twice(chosen, seen, write=write)


def _find_deleted_folders(app: App, chosen: Sequence[ViewTarget]) -> set[str]:
    """Return the files whose folder was deleted, or emptied of all that was written for a project.

    Files deleted one by one stay deleted; who deletes everything wants to begin anew.
    """
    written = {view.path: view.project for view in app.store.list_views() if view.body}
    trees = group_by(chosen, lambda place: (place.spot.root, place.about.project))
    gone: set[str] = set()
    for (root, project), places in trees.items():
        inside = os.path.join(root, "")
        own = [
            one for one, whose in written.items() if whose == project and one.startswith(inside)
        ]
        whole = len(own) > 1 and not any(map(os.path.lexists, own))
        paths = (place.spot.path for place in places)
        gone |= {path for path in paths if whole or not os.path.isdir(os.path.dirname(path))}
    return gone


def _refresh_twice(
    chosen: Sequence[ViewTarget], act: Callable[[ViewTarget], RefreshReport], *, write: bool
) -> list[RefreshReport | FailedView]:
    done = [_try_refresh(act, place) for place in chosen]
    if not write or not any(isinstance(one, RefreshReport) and one.taken for one in done):
        return done
    return [
        one.combine_with(_try_refresh(act, one.place)) if isinstance(one, RefreshReport) else one
        for one in done
    ]


def _try_refresh(
    act: Callable[[ViewTarget], RefreshReport], place: ViewTarget
) -> RefreshReport | FailedView:
    try:
        return act(place)
    except TwiceshyError as error:
        return FailedView(place, error)


def view_state(app: App, place: ViewTarget) -> tuple[State, int]:
    """Return the state of a view, and its last write; unreadable files are no views."""
    view = _last_written(app.store, place.spot.path)
    if view is None:
        return "not written", 0
    seen = read_snapshot(place.spot)
    if seen is None or not view.body:
        return "set aside" if not view.body else "not written", view.at
    return "current" if place.made or seen.text == view.body else "edited", view.at


class _ViewVisit:
    """One pass over a view file."""

    def __init__(
        self,
        app: App,
        place: ViewTarget,
        *,
        asked: bool,
        write: bool,
        anew: Collection[str] = (),
        planned: dict[str, str] | None = None,
    ) -> None:
        """Read a file; with ``planned``, writes go there only."""
        self._app, self._place = app, place
        self._asked, self._write, self._planned = asked, write, planned
        self._anew = place.spot.path in anew

    def run_visit(self) -> RefreshReport | None:
        """Return the result; None if the file changed meanwhile. Agents read such files."""
        with answer_as(self._app, agent=True):
            return self._visit_file()

    def _visit_file(self) -> RefreshReport | None:
        seen = self._last_written()
        view = _last_written(self._app.store, self._place.spot.path)
        if seen is not None and seen.text.strip():
            try:
                return self._update_file(seen, view)
            except ViewError:  # a file that an editor has not finished writing is not damaged
                if self._is_settled(seen):
                    raise
                return None
        if seen is not None and not self._is_settled(seen):
            return None
        return self._write_missing(seen, view)

    def _write_missing(
        self, seen: FileSnapshot | None, view: ViewRecord | None
    ) -> RefreshReport | None:
        """Write a missing file, unless deleted by a person: its folder still exists."""
        place = self._place
        wanted = self._asked or place.made == "index" or (self._anew and view and view.body)
        if view is not None and not wanted:
            self._record_view(view, "")
            return RefreshReport(place, "set aside")
        shown = place.gather_content(self._app)
        if not self._write or not shown:
            return RefreshReport(place, "nothing to show")
        new = join_pieces(place.render_fresh(self._app, shown))
        return self._write_file(seen, new, base=new, view=view, taken=EditsResult())

    def _update_file(self, seen: FileSnapshot, view: ViewRecord | None) -> RefreshReport | None:
        """Apply hand edits of a file, and update it."""
        place, app = self._place, self._app
        if view is not None and view.body == seen.text and self._is_current(seen.text):
            return RefreshReport(place, "unchanged", seen.text, seen.text)
        place.refuse_damaged(seen.text, known=view is not None)
        base, safe, secret = view.body if view else "", seen.text, False
        file = place.parse_text(app, safe)
        if safe != base:  # what the store keeps of it is redacted
            safe, secret = _redact_text(file, app)
            file = place.parse_text(app, safe)
        hand = HandEdit(app, place, foreign=not base, changed_at=read_change_time(place.spot))
        # a file that was there before tells more
        if not base and (known := place.find_episode(app)):
            base = join_pieces(place.render_fresh(app, [known]))
        done = self._find_edits(file, base)
        if done and not self._is_settled(seen):
            return None
        taken = hand.apply_edits(done).but(secret=secret)
        if not self._write:
            told = base if place.made else join_pieces(hand.taken_text(file))
            read = self._write_file(seen, safe, base=told, view=view, taken=taken)
            return read and read.but(became="read")
        shown = place.gather_content(app)
        fresh = place.render_fresh(app, shown)
        if place.made:
            left = [one for one in file if isinstance(one, str) or not hand.is_gone(one)]
            new = _regenerate_text(left, fresh, base=base, how=place.made)
            return self._write_file(seen, new, base=join_pieces(fresh), view=view, taken=taken)
        update = ViewUpdate(
            fresh,
            place.render_fresh(app, ()),
            hand.build_namer(shown),
            hand.is_gone,
            hand.is_refused,
        )
        new = place.update_text(file, update)
        told = join_pieces(hand.taken_text(place.parse_text(app, new)))
        return self._write_file(seen, new, base=told, view=view, taken=taken)

    def _is_current(self, text: str) -> bool:
        """True if a file nobody touched says what is kept now; most files need no more than that."""
        if not self._write or self._place.made == "hub":
            return False
        shown = self._place.gather_content(self._app)
        return self._place.render_text(self._app, shown) == text

    def _find_edits(self, file: Sequence[Piece], base: str) -> Edits:
        """Return hand edits; deleting everything is not believed."""
        place, app = self._place, self._app
        hub = place.made == "hub"
        aside = _last_written(app.store, place.spot.path + (SAID if hub else BEFORE))
        other = place.parse_text(app, aside.body) if aside and aside.body and base else None
        last = other or () if hub else place.parse_text(app, base) if base else ()
        done = find_edits(file, last, None if hub else other)
        there = items_by_key(last).keys() & items_by_key(file).keys()
        if len(items_by_key(last)) >= _MANY and done.deleted and not (there or done.edited):
            hint = worded("to retire them all: twiceshy clear; to have the file again, delete it")
            what = worded("has none of the items written to it")
            raise build_damage_error(place.spot.path, what, hint)
        return done

    def _write_file(
        self,
        seen: FileSnapshot | None,
        new: str,
        *,
        base: str,
        view: ViewRecord | None,
        taken: EditsResult,
    ) -> RefreshReport | None:
        old = seen.text if seen else ""
        changed = new != old
        if changed and not self._render_text(new, seen):
            return None
        self._record_view(view, base)
        if self._place.made == "hub":
            keep_text(self._app.store, self._place, SAID, new)
        return RefreshReport(self._place, "written" if changed else "unchanged", old, new, taken)

    def _is_settled(self, seen: FileSnapshot) -> bool:
        """True if nobody is writing the file now."""
        return self._planned is not None or wait_until_settled(self._place.spot, seen)

    def _last_written(self) -> FileSnapshot | None:
        spot = self._place.spot
        if self._planned is not None and spot.path in self._planned:
            return FileSnapshot(self._planned[spot.path], (0, 0, 0))
        return read_snapshot(spot)

    def _render_text(self, new: str, seen: FileSnapshot | None) -> bool:
        if self._planned is None:
            return write_over(self._place.spot, new, seen)
        self._planned[self._place.spot.path] = new
        return True

    def _record_view(self, view: ViewRecord | None, body: str) -> None:
        """Record the current text, and for a while the text before."""
        place, store = self._place, self._app.store
        if view is not None and view.body == body:
            return
        path = place.spot.path
        if view is not None and view.body:
            older = _last_written(store, path + BEFORE)
            if older is None or view.at - older.at > _OPEN_FOR:
                store.save_records(view.but(path=path + BEFORE))
        keep_text(store, place, "", body)


def keep_text(store: Store, place: ViewTarget, suffix: str, body: str) -> None:
    """Record a text of a view under its path with a suffix."""
    about, path = place.about, place.spot.path + suffix
    key = (path, place.format, about.project, about.skill or place.stretch)
    store.save_records(ViewRecord(*key, body, store.now()))


def _last_written(store: Store, path: str) -> ViewRecord | None:
    return next(iter(store.list_views(path)), None)


def _regenerate_text(
    file: Sequence[Piece], fresh: Sequence[Piece], *, base: str, how: Made
) -> str:
    """Return a regenerated file with its foreign lines."""
    text, new = join_pieces(file), join_pieces(fresh)
    if how == "file":
        return new
    was, now = ([*map(item_content, items_by_key(one).values())] for one in (file, fresh))
    if how == "episode" and was == now:
        return text
    return carry_foreign_lines(base, text, new)


def _redact_text(pieces: Sequence[Piece], app: App) -> tuple[str, bool]:
    """Return a file without secrets, and whether any were found.

    Piece by piece: an unclosed private passage must not swallow the rest.
    """
    raw = [piece.raw if isinstance(piece, ParsedItem) else piece for piece in pieces]
    safe = [app.redact(text) for text in raw]
    return "".join(safe), safe != raw
