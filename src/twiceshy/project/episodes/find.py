"""Find episodes: by session, by id, or by words."""

from __future__ import annotations

from twiceshy.core.errors import NotFoundError
from twiceshy.core.filter import NoteFilter, QueryFit
from twiceshy.core.retention import ARCHIVE, SAVED
from twiceshy.core.value import Value
from twiceshy.language.rank import bm25_scorer, count_terms, describe_collection
from twiceshy.language.terms import index_terms
from twiceshy.project.episodes.archive import expand_archive

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.evidence import Episode
    from twiceshy.core.store import Store

_KINDS = ("note", "checkpoint", "compact", "end", "archive", "handoff", "diary", "reflect")
# How the session of an episode from there begins, by either source.
_KEEPER = ("import:memory-keeper:", "import:markdown:")
_LATEST = 100  # older ones are history; what was learned from them is in the notes
_COVERED = 0.5  # a summary has so many words that one of several says nothing


class FoundEpisode(Value):
    """An episode with its fit to a query."""

    episode: Episode
    fit: QueryFit

    @property
    def text(self) -> str:
        """Return the whole text of the episode, title once."""
        title, summary = self.episode.title, self.episode.summary
        parts = ("" if title in summary else title, summary, *self.episode.requests)
        return " ".join(filter(None, parts))


def list_sessions(
    store: Store, projects: Sequence[str], *, limit: int | None = None
) -> list[Episode]:
    """Return session episodes, archived lines included, newest first.

    memory-keeper told of a session in a file and in its log: one of both is enough.
    """
    known = store.list_episodes(projects, kinds=(*SAVED, ARCHIVE), limit=None)
    found = [entry for each in known for entry in expand_archive(each)]
    minutes = {each.ended_at for each in known if each.session.startswith(_KEEPER)}
    files = store.list_episodes(projects, kinds=("note",), limit=None)
    found += [
        each for each in files if each.session.startswith(_KEEPER) and each.ended_at not in minutes
    ]
    return sorted(found, key=lambda each: (-each.ended_at, each.id))[:limit]


def find_episode(store: Store, name: str) -> Episode:
    """Return the only episode of an id or its ending."""
    known = store.list_episodes(kinds=_KINDS, limit=None)
    everywhere = {entry.id: entry for each in known for entry in (*expand_archive(each), each)}
    ending = name.removeprefix("e")
    found = [each for each in everywhere.values() if each.id == name or each.id.endswith(ending)]
    if len(found) != 1 or len(ending) < 3:
        many = "several episodes end in" if found else "there is no episode"
        raise NotFoundError(f"{many} {name!r}", hint="see: twiceshy episodes --all")
    return found[0]


def search_episodes(store: Store, query: Sequence[str], which: NoteFilter) -> list[FoundEpisode]:
    """Return recent episodes with most of the words, best first."""
    # a filter on other fields means notes only
    asked = ("projects", "since", "until", "file")
    if not query or which != NoteFilter.of({name: getattr(which, name) for name in asked}):
        return []
    others = [kind for kind in _KINDS if kind != ARCHIVE]
    since = which.since
    known = store.list_episodes(which.projects, kinds=others, since=since, limit=_LATEST)
    known += store.list_episodes(which.projects, kinds=(ARCHIVE,), since=since, limit=None)
    latest = [
        FoundEpisode(entry, QueryFit())
        for episode in known
        for entry in expand_archive(episode)
        if entry.ended_at >= which.since
        and (any(which.file in file for file in entry.files) or not which.file)
    ]
    parts = [
        [index_terms(one.text), (), (), (), index_terms(" ".join(one.episode.files))]
        for one in latest
    ]
    weigh = bm25_scorer(query, describe_collection(parts, query))
    found = [
        one.but(fit=QueryFit(*weigh(count_terms(each, query))))
        for one, each in zip(latest, parts, strict=True)
    ]
    found = [one for one in found if one.fit.covered >= _COVERED]
    return sorted(found, key=lambda one: (-one.fit.words, one.episode.id))
