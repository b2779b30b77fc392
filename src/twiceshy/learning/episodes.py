"""Keep an episode for every session and save point, however often a session is read.

A session still in progress is summarised again when its length has doubled, or when it has
grown by the messages between two checkpoints: the journal keeps every version, so there must
not be a version for each turn.
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
    """True if a session has grown enough since its last summary."""
    said, saved = _said(app.store, path), _saved(_known(app.store, origin))
    every = app.config.integer("learn.checkpoint_messages")
    longer = said >= min(2 * saved, saved + every) or said // every > saved // every
    return said > saved and longer


def keep_episodes(app: App, origin: SessionOrigin, fold: Fold, path: str, *, close: bool) -> bool:
    """Summarise a session by its folded steps; False if the known episode covers more."""
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
    """Return the number of user messages in the part of a transcript read so far."""
    reading = store.reading(path)
    return whole(mapping(reading.state).get("prompts")) if reading else 0


def _known(store: Store, origin: SessionOrigin) -> Episode | None:
    return replay_episode(store.history(episode_id(origin.session, "session")))


def _saved(known: Episode | None) -> int:
    """Return the number of messages covered by an episode."""
    return facts_of(known).messages if known else 0


def _about(app: App, origin: SessionOrigin, stretch: Stretch, path: str) -> About:
    """Return project, tag and work of a segment; a session in the user's home has no project."""
    name, _ = app.store.projects().get(origin.project, ("", ""))
    patterns = app.config.table("projects.patterns")
    tag = tag_of(stretch, patterns, name="" if origin.root == user_home() else name)
    work = doing(stretch, app.config.table("words.actions"), patterns, tag=tag)
    return About(origin.session, origin.project, tag, work, path)


def _timed(stretch: Stretch, now: int) -> Stretch:
    """Return a work segment with times, even if the runtime recorded no time."""
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
    """Merge a new episode with fields held by a person.

    Of a held summary, only the line of facts is replaced.
    """
    theirs = {name: getattr(known, name) for name in held}
    if "summary" in held and facts_of(known).messages:
        facts = episode.summary.partition("\n")[0]
        theirs["summary"] = f"{facts}\n{facts_of(known).text}"
    return episode.but(**theirs)


def _keep_compactions(
    app: App, origin: SessionOrigin, fold: Fold, path: str, *, close: bool
) -> None:
    """Add the preceding work and the cause to every compaction episode.

    A hook has already kept most compactions, with the summary. Missing ones are kept when the
    session is over, because until then the hook may still be running.
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
