"""Save handoffs for the next session of a project, and read them."""

from __future__ import annotations

from twiceshy.core.draft import MAX_ITEMS
from twiceshy.core.errors import NoteError
from twiceshy.core.evidence import Episode
from twiceshy.core.filter import NoteFilter
from twiceshy.core.history import replay_episode
from twiceshy.core.retention import SAVED
from twiceshy.core.text import strip_unsafe
from twiceshy.notes.vouch import vouch_for_changes
from twiceshy.project.episodes.facts import episode_id
from twiceshy.project.handoff.rules import (
    Handoff,
    handoff_title,
    is_too_long,
    parse_handoff,
    render_summary,
)
from twiceshy.safety.names import check_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App

_MAX_ITEMS = 10  # items that are taken over of each kind
_MAX_EPISODES = 200


def save_handoff(
    app: App, handoff: Handoff, *, session: str, topic: str = "", is_typed: bool = False
) -> Episode:
    """Save a handoff for the next session; update an earlier handoff of the same topic.

    What a person typed is vouched for; what an agent wrote passes the gate.

    Without a topic every session has a handoff of its own, so two sessions never overwrite each
    other's.
    """
    ready, topic = _clean_handoff(handoff), check_name(topic, what="topic") if topic else ""
    if ready.but(files=()).is_empty:
        raise NoteError("the handoff is empty", hint="say at least what is left, or the status")
    if is_too_long(ready):
        raise NoteError("the handoff is too long", hint="keep what the next session must know")
    here, now = app.current_project(), app.store.now()
    told = {
        "session": session,
        "ended_at": now,
        "title": topic or handoff_title(ready),
        "summary": render_summary(ready),
        "requests": ready.left,
        "files": ready.files,
    }
    name = _handoff_id(app, here.id, topic=topic, session=session)
    known = replay_episode(app.store.history(name))
    new = Episode.of({"id": name, "kind": "handoff", "project": here.id, "started_at": now} | told)
    with vouch_for_changes(app, by_person=is_typed), app.store.change():
        app.store.record_project(
            here.id, name=here.name, root=here.root, aliases=here.aliases, places=here.places
        )
        if known:
            before = {field: getattr(known, field) for field in told}
            app.store.record_entry("edit", known.id, told, before=before)
        else:
            app.store.capture(new)
    return new


def find_last_handoff(app: App, topic: str = "") -> tuple[Handoff, Episode] | None:
    """Return the latest handoff of the current project, optionally on a topic."""
    for episode in list_handoffs(app):
        if topic in ("", episode.title):
            return parse_handoff(episode), episode
    return None


def list_handoffs(app: App) -> list[Episode]:
    """Return the handoffs of the current project, latest first."""
    mine = app.store.list_project_ids(app.current_project().id)
    return app.store.list_episodes(mine, kinds=("handoff",), limit=_MAX_EPISODES)


def fill_handoff(app: App, handoff: Handoff, *, session: str) -> Handoff:
    """Fill empty sections of a handoff from the session's episodes, notes and tasks."""
    mine = app.store.list_project_ids(app.current_project().id)
    saved = app.store.list_episodes(mine, kinds=SAVED, limit=_MAX_EPISODES)
    last = next((each for each in saved if each.session == session or not session), None)
    session = session or (last.session if last else "")
    which = NoteFilter(projects=mine, kinds=("decision", "task"), statuses=("active",))
    notes = app.store.notes(which)
    decided = [
        f"{note.text}: {note.why}" if note.why else note.text
        for note in notes
        if note.kind == "decision" and session and note.origin_session == session
    ]
    left = [note.text for note in notes if note.kind == "task" and note.state == "open"]
    known = {"left": tuple(left), "decisions": tuple(decided)}
    if last:
        known |= {"done": last.requests, "files": last.files}
    missing = [name for name in known if not getattr(handoff, name)]
    said = {name: known[name][:_MAX_ITEMS] for name in missing}
    return handoff.but(**said, status=handoff.status or (last.title if last else ""))


def _handoff_id(app: App, project: str, *, topic: str, session: str) -> str:
    """Return a handoff's episode id: by topic and project, else by session."""
    if not topic:
        return episode_id(session, "handoff") if session else "e" + app.store.new_id()[1:]
    names = [project, *app.store.list_project_ids(project)]  # it may have been known by another
    ids = [episode_id(name, f"handoff:{topic}") for name in names]
    return next((known for known in ids if app.store.history(known)), ids[0])


def _clean_handoff(handoff: Handoff) -> Handoff:
    lists = {}
    for name in ("done", "left", "decisions", "files"):
        items = tuple(filter(None, map(strip_unsafe, getattr(handoff, name))))
        if len(items) > MAX_ITEMS:
            raise NoteError(f"{len(items)} {name} are too many", hint=f"{MAX_ITEMS} is the most")
        lists[name] = items
    status, text = strip_unsafe(handoff.status), strip_unsafe(handoff.text)
    return handoff.but(status=status, text=text, **lists)
