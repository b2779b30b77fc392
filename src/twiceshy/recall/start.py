"""What a session is told when it begins: the project's rules, a few notes, and where the last one ended."""

from __future__ import annotations

from twiceshy.core.brief import render
from twiceshy.core.moment import DAY, day
from twiceshy.core.rank import rank
from twiceshy.core.scope import EVERYWHERE
from twiceshy.recall import Recalled, visible

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.brief import Budget
    from twiceshy.core.filter import Filter
    from twiceshy.core.note import Note
    from twiceshy.core.ports import Store
    from twiceshy.core.rank import Weights
    from twiceshy.core.scope import Scope

_RULES = ("rule", "preference")
_OTHERS = ("lesson", "decision", "pattern", "issue")
_MOST_OTHERS = (
    5  # at the start nobody knows yet what will matter; most notes wait for their moment
)
_SUMMARIES = ("compact", "end")
_FRESH = 7 * DAY


def at_start(
    store: Store,
    scope: Scope,
    *,
    budget: Budget,
    weights: Weights | None = None,
    session: str = "",
) -> Recalled:
    """Brief a session on its project; its own summaries are no news to it."""
    which, now = visible(store, scope), store.now()
    rules = rank(_standing(store, which), {}, now=now, weights=weights)
    others = rank(store.notes(which.but(kinds=_OTHERS)), {}, now=now, weights=weights)
    ranked = [*rules, *others[:_MOST_OTHERS]]
    brief = render(
        [one.note for one in ranked if not 0 < one.note.expires_at <= now],
        skill="",
        mode="no-intent",
        budget=budget,
        remarks=list(_last(store, which, session=session)),
    )
    return Recalled(brief, tuple(ranked))


def rules_only(store: Store, scope: Scope, *, budget: Budget) -> Recalled:
    """Brief an agent that another one started: what holds always, and no story."""
    ranked = rank(_standing(store, visible(store, scope)), {}, now=store.now())
    notes = [one.note for one in ranked]
    return Recalled(render(notes, skill="", mode="no-intent", budget=budget), tuple(ranked))


def _standing(store: Store, which: Filter) -> list[Note]:
    return store.notes(which.but(kinds=_RULES, state="current"))


def _last(store: Store, which: Filter, *, session: str) -> Iterator[str]:
    """Yield the newest summary of this very project, unless this session wrote it."""
    own = [project for project in which.projects or () if project != EVERYWHERE]
    since = store.now() - _FRESH
    for episode in store.episodes(own, kinds=_SUMMARIES, since=since, limit=5):
        if episode.session != session and episode.summary:
            yield f"Last time here ({day(episode.ended_at)}): {episode.summary}"
            return
