"""What a session is told when it begins: the project's rules, a few notes, and where the last one ended."""

from __future__ import annotations

from twiceshy.core.brief import render
from twiceshy.core.moment import DAY, day
from twiceshy.core.rank import rank
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.timely import at_start as at_start_of
from twiceshy.recall import Recalled, no_key, visible

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from twiceshy.core.brief import Budget
    from twiceshy.core.filter import Filter
    from twiceshy.core.note import Note
    from twiceshy.core.ports import Store
    from twiceshy.core.rank import Ranked, Weights
    from twiceshy.core.scope import Scope
    from twiceshy.recall import Key

_RULES = ("rule", "preference")
_OTHERS = ("lesson", "decision", "pattern", "issue")
_MOST_OTHERS = (
    5  # at the start nobody knows yet what will matter; most notes wait for their moment
)
_MOST_RECURRING = 2
_SUMMARIES = ("compact", "end")
_FRESH = 7 * DAY


def at_start(
    store: Store,
    scope: Scope,
    *,
    budget: Budget,
    key: Key = no_key,
    weights: Weights | None = None,
    session: str = "",
    withholds: Callable[[Note], bool] = lambda _: False,
) -> Recalled:
    """Brief a session on its project; its own summaries are no news to it.

    What keeps going wrong is told unless it is withheld, to learn what telling it is worth.
    """
    which, now = visible(store, scope), store.now()
    rules = _standing(store, which, key, weights)
    others = rank(store.notes(which.but(kinds=_OTHERS)), {}, now=now, weights=weights)
    # what is about a certain call waits for that call, unless it keeps going wrong unseen
    waiting = [one for one in others if not one.note.trigger][:_MOST_OTHERS]
    found = store.about_call(which.projects or (), which="recurring")
    lessons = (match for match in found if match.note.kind != "rule")
    recurring = at_start_of(lessons, most=_MOST_RECURRING)
    kept = [match.note for match in recurring if match.settled or not withholds(match.note)]
    again = rank(kept, {}, now=now, weights=weights)
    ranked = [*rules, *again, *waiting]
    brief = render(
        [one.note for one in ranked if not 0 < one.note.expires_at <= now],
        skill="",
        mode="no-intent",
        budget=budget,
        remarks=list(_last(store, which, session=session)),
    )
    return Recalled(brief, tuple(ranked))


def rules_only(store: Store, scope: Scope, *, budget: Budget, key: Key = no_key) -> Recalled:
    """Brief an agent that another one started: what holds always, and no story."""
    ranked = _standing(store, visible(store, scope), key)
    notes = [one.note for one in ranked]
    return Recalled(render(notes, skill="", mode="no-intent", budget=budget), tuple(ranked))


def _standing(
    store: Store, which: Filter, key: Key, weights: Weights | None = None
) -> list[Ranked]:
    """Rank what holds always: preferences, and the rules that the user approved."""
    notes = store.notes(which.but(kinds=_RULES, state="current"))
    ranked = rank(notes, {}, now=store.now(), weights=weights)
    if not any(note.kind == "rule" for note in notes):
        return ranked
    from twiceshy.recall.rules import approved  # noqa: PLC0415 - only where a rule is

    return approved(store, ranked, key)


def _last(store: Store, which: Filter, *, session: str) -> Iterator[str]:
    """Yield the newest summary of this very project, unless this session wrote it."""
    own = [project for project in which.projects or () if project != EVERYWHERE]
    since = store.now() - _FRESH
    for episode in store.episodes(own, kinds=_SUMMARIES, since=since, limit=5):
        if episode.session != session and episode.summary:
            yield f"Last time here ({day(episode.ended_at)}): {episode.summary}"
            return
