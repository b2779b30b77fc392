"""Save handoffs for the next session of a project, and read them."""

from __future__ import annotations

from twiceshy.core.draft import MAX_ITEMS
from twiceshy.core.errors import NoteError
from twiceshy.core.evidence import Episode
from twiceshy.core.filter import Filter
from twiceshy.core.history import replay_episode
from twiceshy.core.text import clean
from twiceshy.project.episodes.told import episode_id
from twiceshy.project.handoff.rules import Handoff, handoff_of, summary_of, title_of, too_long
from twiceshy.safety.names import safe_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App

_SAVED = ("end", "checkpoint", "compact")
_MOST = 10  # items that are taken over of each kind
_LATELY = 200


def hand_over(app: App, handoff: Handoff, *, session: str, topic: str = "") -> Episode:
    """Save a handoff for the next session; update an earlier handoff of the same topic.

    Without a topic every session has a handoff of its own, so two sessions never overwrite each
    other's.
    """
    ready, topic = _cleaned(handoff), safe_name(topic, what="topic") if topic else ""
    if ready.but(files=()).empty:
        raise NoteError("the handoff is empty", hint="say at least what is left, or the status")
    if too_long(ready):
        raise NoteError("the handoff is too long", hint="keep what the next session must know")
    here, now = app.here(), app.store.now()
    told = {
        "session": session,
        "ended_at": now,
        "title": topic or title_of(ready),
        "summary": summary_of(ready),
        "requests": ready.left,
        "files": ready.files,
    }
    name = _name(app, here.id, topic=topic, session=session)
    known = replay_episode(app.store.history(name))
    new = Episode.of({"id": name, "kind": "handoff", "project": here.id, "started_at": now} | told)
    with app.store.change():
        app.store.know_project(here.id, name=here.name, root=here.root, aliases=here.aliases)
        if known:
            before = {field: getattr(known, field) for field in told}
            app.store.record("edit", known.id, told, before=before)
        else:
            app.store.capture(new)
    return new


def last_handoff(app: App, topic: str = "") -> tuple[Handoff, Episode] | None:
    """Return the latest handoff of the current project, optionally on a topic."""
    for episode in handoffs(app):
        if topic in ("", episode.title):
            return handoff_of(episode), episode
    return None


def handoffs(app: App) -> list[Episode]:
    """Return the handoffs of the current project, latest first."""
    mine = app.store.same_project(app.here().id)
    return app.store.episodes(mine, kinds=("handoff",), limit=_LATELY)


def filled(app: App, handoff: Handoff, *, session: str) -> Handoff:
    """Fill empty sections of a handoff from the session's episodes, notes and tasks."""
    mine = app.store.same_project(app.here().id)
    saved = app.store.episodes(mine, kinds=_SAVED, limit=_LATELY)
    last = next((each for each in saved if each.session == session or not session), None)
    session = session or (last.session if last else "")
    notes = app.store.notes(
        Filter(projects=mine, kinds=("decision", "task"), statuses=("active",))
    )
    decided = [
        f"{note.text}: {note.why}" if note.why else note.text
        for note in notes
        if note.kind == "decision" and session and note.origin_session == session
    ]
    left = [note.text for note in notes if note.kind == "task" and note.state == "open"]
    known = {"left": tuple(left), "decisions": tuple(decided)}
    if last:
        known |= {"done": last.requests, "files": last.files}
    said = {name: items[:_MOST] for name, items in known.items() if not getattr(handoff, name)}
    return handoff.but(**said).but(status=handoff.status or (last.title if last else ""))


def _name(app: App, project: str, *, topic: str, session: str) -> str:
    """Return a handoff's episode id: by topic and project, else by session."""
    if not topic:
        return episode_id(session, "handoff") if session else "e" + app.store.new_id()[1:]
    names = [project, *app.store.same_project(project)]  # it may have been known by another
    ids = [episode_id(name, f"handoff:{topic}") for name in names]
    return next((known for known in ids if app.store.history(known)), ids[0])


def _cleaned(handoff: Handoff) -> Handoff:
    lists = {}
    for name in ("done", "left", "decisions", "files"):
        items = tuple(filter(None, map(clean, getattr(handoff, name))))
        if len(items) > MAX_ITEMS:
            raise NoteError(f"{len(items)} {name} are too many", hint=f"{MAX_ITEMS} is the most")
        lists[name] = items
    return handoff.but(status=clean(handoff.status), text=clean(handoff.text), **lists)
