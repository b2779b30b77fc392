"""Keep one episode for every session, and one at each save point, however often a session is read.

A session that goes on is summed up anew when it has become twice as long, or so many messages longer
as lie between two checkpoints: the journal keeps every version, so there must not be one for each turn.
"""

from __future__ import annotations

from twiceshy.app import user_home
from twiceshy.core.history import replay_episode, revised
from twiceshy.core.jsontext import mapping, whole
from twiceshy.project.episodes.about import doing, tag_of
from twiceshy.project.episodes.told import (
    About,
    checkpoint_episode,
    compact_episode,
    episode_id,
    facts_of,
    session_episode,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.evidence import Episode
    from twiceshy.core.store import Store
    from twiceshy.learning.sources import SessionOrigin
    from twiceshy.project.episodes.stretch import Compaction, Fold, Stretch

_LATELY = 100  # compactions of a project among which those of the session are looked for
_LONGEST_SUMMARY = 8_000


def is_episode_due(app: App, origin: SessionOrigin, path: str) -> bool:
    """True if enough was said since a session was summed up last."""
    said, saved = _said(app.store, path), _saved(_known(app.store, origin))
    every = app.config.integer("learn.checkpoint_messages")
    longer = said >= min(2 * saved, saved + every) or said // every > saved // every
    return said > saved and longer


def keep_episodes(app: App, origin: SessionOrigin, fold: Fold, path: str, *, close: bool) -> bool:
    """Sum a session up by its folded steps; False if they tell less than the known episode."""
    known, store = _known(app.store, origin), app.store
    stretch = _timed(fold.stretch(), store.now())
    if stretch.messages < max(_saved(known), 1):
        return False  # an agent's own transcript, or a shorter copy of what is known
    about = _about(app, origin, stretch, path)
    with store.change():
        _keep_compactions(app, origin, fold, path, close=close)
        if fold.milestone and not close:
            began = _timed(fold.milestone, store.now())
            store.capture(checkpoint_episode(began, _about(app, origin, began, path)))
        _put(store, known, session_episode(stretch, about))
    return True


def _said(store: Store, path: str) -> int:
    """Return how often the user has said something in a transcript, as far as it was read."""
    reading = store.reading(path)
    return whole(mapping(reading.state).get("prompts")) if reading else 0


def _known(store: Store, origin: SessionOrigin) -> Episode | None:
    return replay_episode(store.history(episode_id(origin.session, "session")))


def _saved(known: Episode | None) -> int:
    """Return how many messages an episode tells of."""
    return facts_of(known).messages if known else 0


def _about(app: App, origin: SessionOrigin, stretch: Stretch, path: str) -> About:
    """Say what a stretch was about; a session in the user's home is about no project."""
    name, _ = app.store.projects().get(origin.project, ("", ""))
    patterns = app.config.table("projects.patterns")
    tag = tag_of(stretch, patterns, name="" if origin.root == user_home() else name)
    work = doing(stretch, app.config.table("words.actions"), patterns, tag=tag)
    return About(origin.session, origin.project, tag, work, path)


def _timed(stretch: Stretch, now: int) -> Stretch:
    """Return a stretch with a time, also where its runtime noted none."""
    return stretch if stretch.ended_at else stretch.but(started_at=now, ended_at=now)


def _put(store: Store, known: Episode | None, episode: Episode) -> None:
    if known is None:
        store.capture(episode)  # which leaves alone what was forgotten
        return
    held = revised(store.history(known.id))
    now, before = _beside(episode, known, held).fields(), known.fields()
    changed = {name: value for name, value in now.items() if value != before[name]}
    if changed:
        store.record("edit", known.id, changed, before={name: before[name] for name in changed})


def _beside(episode: Episode, known: Episode, held: frozenset[str]) -> Episode:
    """Return what is told anew beside a person's words; of a summary the line of facts is ours."""
    theirs = {name: getattr(known, name) for name in held}
    if "summary" in held and facts_of(known).messages:
        facts = episode.summary.partition("\n")[0]
        theirs["summary"] = f"{facts}\n{facts_of(known).text}"
    return episode.but(**theirs)


def _keep_compactions(
    app: App, origin: SessionOrigin, fold: Fold, path: str, *, close: bool
) -> None:
    """Say of every compaction what went before it and what triggered it.

    A hook has kept most of them already, with the summary. The others are kept when the session
    is over, because until then the hook may still be on its way.
    """
    if not fold.compactions:
        return
    store, projects = app.store, app.store.same_project(origin.project)
    lately = store.episodes(projects, kinds=("compact",), limit=_LATELY)
    mine = [each for each in lately if each.session == origin.session]
    for number, compaction in enumerate(reversed(fold.compactions)):
        known = mine[number] if number < len(mine) else None
        if known and not known.title:
            told = _compact(app, origin, compaction, path)
            told = told.but(id=known.id, summary=known.summary, ended_at=known.ended_at)
            _put(store, known, told)
        elif known is None and close:
            store.capture(_compact(app, origin, compaction, path))


def _compact(app: App, origin: SessionOrigin, compaction: Compaction, path: str) -> Episode:
    before = _timed(compaction.before, app.store.now())
    return compact_episode(
        before,
        _about(app, origin, before, path),
        step=compaction.step,
        automatic=compaction.automatic,
        summary=app.redact(compaction.summary)[:_LONGEST_SUMMARY],
    )
