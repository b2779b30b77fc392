"""Brief at session start: rules, notes, recent work, and project pages."""

from __future__ import annotations

from twiceshy.core.clock import reading
from twiceshy.core.filter import visible
from twiceshy.core.moment import DAY, day
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import escape
from twiceshy.language.rank import rank
from twiceshy.recall.brief import render
from twiceshy.recall.choose import Recalled, no_key
from twiceshy.recall.timely import at_start as at_start_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from twiceshy.core.filter import Filter
    from twiceshy.core.note import Note
    from twiceshy.core.scope import Scope
    from twiceshy.core.session import Changed
    from twiceshy.core.store import HookStore
    from twiceshy.language.rank import Ranked, Weights
    from twiceshy.recall.brief import Budget
    from twiceshy.recall.choose import Key

_RULES = ("rule", "preference")
_OTHERS = ("lesson", "decision", "pattern", "issue")
_MOST_OTHERS = (
    5  # at the start nobody knows yet what will matter; most notes wait for their moment
)
_MOST_RECURRING = 2
_SUMMARIES = ("compact", "end")
_FRESH = 7 * DAY
_RECENT = 3 * DAY
_PITFALLS = ("pitfall", "fix", "gotcha")
_FACTS = ("decision", "pattern", "issue")
_WORK = ("task", "page")
_SHARE_OF_PAGES = 4
_LOGGED = 5
_MOST_LOGGED = 1
_OF_MACHINE = 140  # characters of what nobody worded; every session pays for them
_MOST_NAMES = 5


def at_start(
    store: HookStore,
    scope: Scope,
    *,
    budget: Budget,
    key: Key = no_key,
    weights: Weights | None = None,
    session: str = "",
    place: tuple[str, str] = ("", ""),
    reminders: Sequence[str] = (),
    withholds: Callable[[Note], bool] = lambda _: False,
) -> Recalled:
    """Brief a session on its project, without its own summaries.

    Recurring mistakes are told unless withheld. ``place`` is the working directory, and the root
    of its project.
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
    again = rank([*kept, *_newest(others, kept, waiting, now=now)], {}, now=now, weights=weights)
    ranked = [*rules, *again, *waiting]
    filled = _Filled(store, which)
    brief = render(
        [one.note for one in ranked if not 0 < one.note.expires_at <= now],
        skill="",
        mode="no-intent",
        budget=budget,
        remarks=[
            *_sessions(store, which, session=session),
            *filled.tasks(now),
            *_lately(store, which, now=now),
            *_facts(store, which, others, waiting),
            *reminders,
        ],
        lines=filled.pages(place, tokens=budget.tokens // _SHARE_OF_PAGES),
    )
    return Recalled(brief, tuple(ranked))


class _Filled:
    """Tasks and pages of a project, if any."""

    def __init__(self, store: HookStore, which: Filter) -> None:
        self._tasks = store.notes(which.but(kinds=("task",)))
        self._pages = store.notes(which.but(kinds=("page",)))

    def tasks(self, now: int) -> list[str]:
        """Return open tasks in at most two lines."""
        if not self._tasks:
            return []
        from twiceshy.project.tasks.rules import task_summary

        return task_summary(self._tasks, now=now).splitlines()

    def pages(self, place: tuple[str, str], *, tokens: int) -> list[str]:
        """Return pages for the working directory, within budget."""
        if not self._pages:
            return []
        from twiceshy.project.pages.choose import page_lines

        return page_lines(self._pages, cwd=place[0], root=place[1], tokens=tokens)


def _newest(
    others: Sequence[Ranked], kept: Sequence[Note], waiting: Sequence[Ranked], *, now: int
) -> list[Note]:
    """Return the newest pitfall if recent and not told anyway.

    A pitfall about a call is told right before that call instead.
    """
    told = {*(note.id for note in kept), *(one.note.id for one in waiting)}
    fresh = [one.note for one in others if one.note.learned_at > now - _RECENT]
    pitfalls = [note for note in fresh if note.subtype in _PITFALLS and not note.trigger]
    newest = max(pitfalls, key=lambda note: (note.learned_at, note.id), default=None)
    return [newest] if newest and newest.id not in told else []


def _lately(store: HookStore, which: Filter, *, now: int) -> Iterator[str]:
    """Yield pages and notes changed within a day."""
    since = reading(now - DAY)
    if store.mark() < since:
        return
    found = store.changed(which.projects or (), since=since, kinds=(*_FACTS, *_WORK))
    changes = [one for one in found if one.note.status == "active"]
    if changes:
        yield f"Changed in the last 24 hours: {_names(changes)}"


def _names(changes: Iterable[Changed]) -> str:
    """Summarise changes: pages by name, other kinds by count."""
    counts: dict[str, int] = {}
    names = []
    for change in changes:
        if change.note.kind == "page":
            names.append(f"page {escape(change.note.tag, limit=40)}")
        else:
            counts[change.note.kind] = counts.get(change.note.kind, 0) + 1
    others = (f"{count} {kind}{'s' if count > 1 else ''}" for kind, count in counts.items())
    return ", ".join((*names[:_MOST_NAMES], *others))


def _facts(
    store: HookStore, which: Filter, others: Sequence[Ranked], waiting: Sequence[Ranked]
) -> Iterator[str]:
    """Yield the number of facts and how to find them, unless told anyway."""
    notes = [one.note for one in others if one.note.kind in _FACTS]
    kinds = {note.kind for note in notes}
    counts = {kind: store.count(which.but(kinds=(kind,))) for kind in _FACTS if kind in kinds}
    if sum(counts.values()) > sum(one.note.kind in _FACTS for one in waiting):
        count = sum(note.kind == "issue" and note.state == "open" for note in notes)
        said = ", ".join(f"{count} {kind}{'s'[: count != 1]}" for kind, count in counts.items())
        left = f" ({count} open)" if count else ""
        yield f"Kept here: {said}{left}; find them with: twiceshy search"


def rules_only(store: HookStore, scope: Scope, *, budget: Budget, key: Key) -> Recalled:
    """Brief a sub-agent: standing rules only."""
    ranked = _standing(store, visible(store, scope), key)
    notes = [one.note for one in ranked]
    return Recalled(render(notes, skill="", mode="no-intent", budget=budget), tuple(ranked))


def _standing(
    store: HookStore, which: Filter, key: Key, weights: Weights | None = None
) -> list[Ranked]:
    """Rank standing notes: preferences, and approved rules."""
    notes = store.notes(which.but(kinds=_RULES, state="current"))
    ranked = rank(notes, {}, now=store.now(), weights=weights)
    if not any(note.kind == "rule" for note in notes):
        return ranked
    from twiceshy.recall.rules import approved

    return approved(store, ranked, key)


def _sessions(store: HookStore, which: Filter, *, session: str) -> Iterator[str]:
    """Yield the end of the last session of this project, and summaries of earlier ones.

    Taken from the end of the project's log, without this session's own entries.
    """
    own = [project for project in which.projects or () if project != EVERYWHERE]
    since = store.now() - _FRESH
    found = store.episodes(own, kinds=_SUMMARIES, since=since, limit=_LOGGED)
    others = [one for one in found if one.session != session and one.summary]
    if not others:
        return
    last, machine = others[0], others[0].kind == "end"
    # what a model summed up says more in as many words
    summary = escape(last.summary, limit=_OF_MACHINE) if machine else last.summary
    yield f"Last time here ({day(last.ended_at)}): {summary}"
    earlier = [one for one in others if one.session != last.session]
    if earlier:
        from twiceshy.project.episodes.log import lately

        yield f"Before that: {lately(earlier, most=_MOST_LOGGED, limit=_OF_MACHINE)}"
