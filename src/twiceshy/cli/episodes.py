"""Stretches of work that a search finds beside the notes, and how they look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.cli.snippets import place_and_age, snippet_json, snippet_line
from twiceshy.core.filter import Filter, Fit
from twiceshy.core.moment import stamp
from twiceshy.core.rank import bm25, describe
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.snippet import snippet
from twiceshy.core.terms import terms
from twiceshy.core.text import clean
from twiceshy.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.cli.snippets import Look
    from twiceshy.core.ports import Store
    from twiceshy.core.signal import Episode

_KINDS = ("note", "checkpoint", "compact", "end", "handoff", "diary", "reflect")
_LATEST = 100  # older ones are history; what was learned from them is in the notes
_COVERED = 0.5  # a summary has so many words that one of several says nothing


class Told(Value):
    """A stretch of work, and how well what was written about it fits."""

    episode: Episode
    fit: Fit

    @property
    def text(self) -> str:
        """Return all that was written about it."""
        parts = (self.episode.title, self.episode.summary, *self.episode.requests)
        return " ".join(filter(None, parts))


def told(store: Store, query: Sequence[str], which: Filter) -> list[Told]:
    """Return the latest episodes that hold most of the words, best first; notes' filters exclude them."""
    only = Filter(projects=which.projects, since=which.since, until=which.until, file=which.file)
    if not query or which != only:
        return []
    projects = (*store.projects(), EVERYWHERE) if which.projects is None else which.projects
    latest = [
        Told(episode, Fit())
        for episode in store.episodes(projects, kinds=_KINDS, since=which.since, limit=_LATEST)
        if any(which.file in file for file in episode.files) or not which.file
    ]
    parts = [[terms(one.text), (), (), (), terms(" ".join(one.episode.files))] for one in latest]
    weigh = bm25(query, describe(parts, query))
    found = [one.but(fit=Fit(*weigh(each))) for one, each in zip(latest, parts, strict=True)]
    found = [one for one in found if one.fit.covered >= _COVERED]
    return sorted(found, key=lambda one: (-one.fit.words, one.episode.id))


def episode_lines(one: Told, look: Look) -> Iterator[str]:
    """Write an episode that was found: what it was, then what it says about the words."""
    episode = one.episode
    where = place_and_age(episode.project, episode.ended_at, look)
    yield f"{'-':<8}episode ({episode.kind}) {where}"
    yield snippet_line("text", snippet(clean(one.text), look.query, limit=look.width))


def episode_json(one: Told, look: Look) -> dict[str, object]:
    """Return an episode that was found as it appears in --json."""
    found = snippet(clean(one.text), look.query, limit=look.width)
    times = {name: stamp(getattr(one.episode, name)) for name in ("started_at", "ended_at")}
    return {
        "parts": {"words": round(one.fit.words, 6), "covered": round(one.fit.covered, 6)},
        "snippets": [snippet_json("text", found)],
        **one.episode.fields(),
        **times,
        "kind": "episode",
        "subtype": one.episode.kind,
        "text": one.text,
    }
