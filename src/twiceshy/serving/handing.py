"""Hand work over: what one session leaves for the next one of the same project."""

from __future__ import annotations

from twiceshy.core.draft import MAX_ITEMS
from twiceshy.core.errors import NoteError
from twiceshy.core.handoff import handoff_of, summary_of, too_long
from twiceshy.core.signal import Episode
from twiceshy.core.text import clean, one_line

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.handoff import Handoff

_LONGEST_TITLE = 120


def hand_over(app: App, handoff: Handoff, *, session: str) -> Episode:
    """Keep a handoff for the next session of this project."""
    ready = _cleaned(handoff)
    if ready.but(files=()).empty:
        raise NoteError("the handoff is empty", hint="say at least what is left, or the status")
    if too_long(ready):
        raise NoteError("the handoff is too long", hint="keep what the next session must know")
    here, now = app.here(), app.store.now()
    first = next(filter(None, (ready.status, *ready.left, *ready.done, ready.text)), "")
    episode = Episode(
        id="e" + app.store.new_id()[1:],
        kind="handoff",
        session=session,
        project=here.id,
        started_at=now,
        ended_at=now,
        title=one_line(first, limit=_LONGEST_TITLE),
        summary=summary_of(ready),
        requests=ready.left,
        files=ready.files,
    )
    with app.store.change():
        app.store.know_project(here.id, name=here.name, root=here.root, aliases=here.aliases)
        app.store.capture(episode)
    return episode


def last_handoff(app: App) -> tuple[Handoff, Episode] | None:
    """Return what the last session of this project that handed over has left."""
    mine = app.store.same_project(app.here().id)
    for episode in app.store.episodes(mine, kinds=("handoff",), limit=1):
        return handoff_of(episode), episode
    return None


def _cleaned(handoff: Handoff) -> Handoff:
    lists = {}
    for name in ("done", "left", "decisions", "files"):
        items = tuple(filter(None, map(clean, getattr(handoff, name))))
        if len(items) > MAX_ITEMS:
            raise NoteError(f"{len(items)} {name} are too many", hint=f"{MAX_ITEMS} is the most")
        lists[name] = items
    return handoff.but(status=clean(handoff.status), text=clean(handoff.text), **lists)
