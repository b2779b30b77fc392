"""Find episodes: by session, by id, or by words."""

from __future__ import annotations

from twiceshy.core.errors import NotFoundError
from twiceshy.core.filter import Filter, Fit
from twiceshy.core.retention import ARCHIVE, SAVED
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.value import Value
from twiceshy.language.rank import bm25, describe
from twiceshy.language.terms import terms
from twiceshy.project.episodes.archive import entries_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.evidence import Episode
    from twiceshy.core.store import Store

_KINDS = ("note", "checkpoint", "compact", "end", "archive", "handoff", "diary", "reflect")
_LATEST = 100  # older ones are history; what was learned from them is in the notes
_COVERED = 0.5  # a summary has so many words that one of several says nothing
_ALL = 100_000


class FoundEpisode(Value):
    """An episode with its fit to a query."""

    episode: Episode
    fit: Fit

    @property
    def text(self) -> str:
        """Return the whole text of the episode, title once."""
        title, summary = self.episode.title, self.episode.summary
        parts = ("" if title in summary else title, summary, *self.episode.requests)
        return " ".join(filter(None, parts))


def list_sessions(store: Store, projects: Sequence[str], *, limit: int = _ALL) -> list[Episode]:
    """Return session episodes, archived lines included, newest first."""
    known = store.episodes(projects, kinds=(*SAVED, ARCHIVE), limit=_ALL)
    found = [entry for each in known for entry in entries_of(each)]
    return sorted(found, key=lambda each: (-each.ended_at, each.id))[:limit]


def find_episode(store: Store, name: str) -> Episode:
    """Return the only episode of an id or its ending."""
    known = store.episodes(tuple(store.projects()), kinds=_KINDS, limit=_ALL)
    everywhere = {entry.id: entry for each in known for entry in (*entries_of(each), each)}
    ending = name.removeprefix("e")
    found = [each for each in everywhere.values() if each.id == name or each.id.endswith(ending)]
    if len(found) != 1 or len(ending) < 3:
        many = "several episodes end in" if found else "there is no episode"
        raise NotFoundError(f"{many} {name!r}", hint="see: twiceshy episodes --all")
    return found[0]


def search_episodes(store: Store, query: Sequence[str], which: Filter) -> list[FoundEpisode]:
    """Return recent episodes with most of the words, best first."""
    only = Filter(projects=which.projects, since=which.since, until=which.until, file=which.file)
    if not query or which != only:
        return []
    projects = (*store.projects(), EVERYWHERE) if which.projects is None else which.projects
    others = [kind for kind in _KINDS if kind != ARCHIVE]
    known = store.episodes(projects, kinds=others, since=which.since, limit=_LATEST)
    known += store.episodes(projects, kinds=(ARCHIVE,), since=which.since, limit=_ALL)
    latest = [
        FoundEpisode(entry, Fit())
        for episode in known
        for entry in entries_of(episode)
        if entry.ended_at >= which.since
        and (any(which.file in file for file in entry.files) or not which.file)
    ]
    parts = [[terms(one.text), (), (), (), terms(" ".join(one.episode.files))] for one in latest]
    weigh = bm25(query, describe(parts, query))
    found = [one.but(fit=Fit(*weigh(each))) for one, each in zip(latest, parts, strict=True)]
    found = [one for one in found if one.fit.covered >= _COVERED]
    return sorted(found, key=lambda one: (-one.fit.words, one.episode.id))
