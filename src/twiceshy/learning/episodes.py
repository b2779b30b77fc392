"""Keep one episode for every session, and one at each save point, however often a session is read.

A session that goes on is summed up anew when it has become twice as long, or so many messages longer
as lie between two checkpoints: the journal keeps every version, so there must not be one for each turn.
"""

from __future__ import annotations

from twiceshy.core.history import replay_episode, revised
from twiceshy.core.jsontext import mapping, whole
from twiceshy.core.value import Value
from twiceshy.project.episodes.about import doing, tag_of
from twiceshy.project.episodes.stretch import folded
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
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from twiceshy.core.evidence import Episode
    from twiceshy.core.store import Store
    from twiceshy.core.transcript import Step
    from twiceshy.learning.notes import Where
    from twiceshy.project.episodes.stretch import Compaction, Fold, Stretch

    Words = Mapping[str, Sequence[str]]

_LATELY = 100  # compactions of a project among which those of the session are looked for
_LONGEST_SUMMARY = 8_000


class Manner(Value):
    """How episodes are told: in which words, under which name of the project, how often, how safely."""

    actions: Words
    patterns: Words
    name: str
    every: int
    redact: Callable[[str], str]


def keep_episodes(
    store: Store,
    where: Where,
    steps: Callable[[], Iterable[Step]],
    path: str,
    *,
    manner: Manner,
    close: bool,
    compacted: bool = False,
) -> bool:
    """Sum a session up, if it is time to; return whether it was.

    It is when the session is over or was just compacted, or when enough has been said since.
    """
    known = _known(store, where)
    saved = facts_of(known).messages if known else 0
    if not (close or compacted or _due(_said(store, path), saved, manner.every)):
        return False
    fold = folded(steps(), redact=manner.redact, root=where.root, every=manner.every)
    stretch = _timed(fold.stretch(), store.now())
    if stretch.messages < max(saved, 1):
        return False  # an agent's own transcript, or a shorter copy of what is known
    about = _about(stretch, where, path, manner)
    with store.change():
        _keep_compactions(store, where, fold, manner, path, close=close)
        if fold.milestone and not close:
            began = _timed(fold.milestone, store.now())
            store.capture(checkpoint_episode(began, _about(began, where, path, manner)))
        _put(store, known, session_episode(stretch, about))
    return True


def _said(store: Store, path: str) -> int:
    """Return how often the user has said something in a transcript, as far as it was read."""
    reading = store.reading(path)
    return whole(mapping(reading.state).get("prompts")) if reading else 0


def _due(said: int, saved: int, every: int) -> bool:
    """Tell whether enough was said since a session was summed up last."""
    longer = said >= min(2 * saved, saved + every) or said // every > saved // every
    return said > saved and longer


def _known(store: Store, where: Where) -> Episode | None:
    return replay_episode(store.history(episode_id(where.session, "session")))


def _about(stretch: Stretch, where: Where, path: str, manner: Manner) -> About:
    tag = tag_of(stretch, manner.patterns, name=manner.name)
    work = doing(stretch, manner.actions, manner.patterns, tag=tag)
    return About(where.session, where.project, tag, work, path)


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
    store: Store, where: Where, fold: Fold, manner: Manner, path: str, *, close: bool
) -> None:
    """Say of every compaction what went before it and what triggered it.

    A hook has kept most of them already, with the summary. The others are kept when the session
    is over, because until then the hook may still be on its way.
    """
    if not fold.compactions:
        return
    projects = store.same_project(where.project)
    lately = store.episodes(projects, kinds=("compact",), limit=_LATELY)
    mine = [each for each in lately if each.session == where.session]
    for number, compaction in enumerate(reversed(fold.compactions)):
        known = mine[number] if number < len(mine) else None
        if known and not known.title:
            told = _compact(compaction, where, path, manner, store.now())
            _put(
                store, known, told.but(id=known.id, summary=known.summary, ended_at=known.ended_at)
            )
        elif known is None and close:
            store.capture(_compact(compaction, where, path, manner, store.now()))


def _compact(compaction: Compaction, where: Where, path: str, manner: Manner, now: int) -> Episode:
    before = _timed(compaction.before, now)
    return compact_episode(
        before,
        _about(before, where, path, manner),
        step=compaction.step,
        automatic=compaction.automatic,
        summary=manner.redact(compaction.summary)[:_LONGEST_SUMMARY],
    )
