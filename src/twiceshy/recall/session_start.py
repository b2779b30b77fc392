"""Brief at session start: rules, notes, recent work, and project pages."""

from __future__ import annotations

from twiceshy.core.clock import first_clock_of
from twiceshy.core.filter import filter_visible_notes
from twiceshy.core.moment import DAY, format_day
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import escape_line
from twiceshy.language.rank import rank_notes
from twiceshy.recall.brief import render_brief
from twiceshy.recall.choose_timely import choose_at_start as at_start_of
from twiceshy.recall.recall_notes import RecallResult, no_key

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from twiceshy.core.filter import NoteFilter
    from twiceshy.core.note import Note
    from twiceshy.core.scope import Scope
    from twiceshy.core.session import ChangedNote
    from twiceshy.core.store import HookStore
    from twiceshy.language.rank import RankedNote, RankWeights
    from twiceshy.recall.brief import BriefBudget
    from twiceshy.recall.recall_notes import Key

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


def brief_session_start(
    store: HookStore,
    scope: Scope,
    *,
    budget: BriefBudget,
    key: Key = no_key,
    weights: RankWeights | None = None,
    session: str = "",
    place: tuple[str, str] = ("", ""),
    reminders: Sequence[str] = (),
    withholds: Callable[[Note], bool] = lambda _: False,
) -> RecallResult:
    """Brief a session on its project, without its own summaries.

    Recurring mistakes are told unless withheld. ``place`` is the working directory, and the root
    of its project.
    """
    which, now = filter_visible_notes(store, scope), store.now()
    rules = _rank_standing(store, which, key, weights, heard=budget.heard_tokens)
    others = rank_notes(store.notes(which.but(kinds=_OTHERS)), {}, now=now, weights=weights)
    # what is about a certain call waits for that call, unless it keeps going wrong unseen
    waiting = [one for one in others if not one.note.trigger][:_MOST_OTHERS]
    found = store.match_triggers(which.projects or (), which="recurring")
    lessons = (match for match in found if match.note.kind != "rule")
    recurring = at_start_of(lessons, most=_MOST_RECURRING)
    kept = [match.note for match in recurring if match.is_settled or not withholds(match.note)]
    again = rank_notes(
        [*kept, *_newest_pitfall(others, kept, waiting, now=now)], {}, now=now, weights=weights
    )
    ranked = [*rules, *again, *waiting]
    filled = _ProjectPages(store, which)
    brief = render_brief(
        [one.note for one in ranked if not 0 < one.note.expires_at <= now],
        skill="",
        mode="no-intent",
        budget=budget,
        remarks=[
            *_session_lines(store, which, session=session),
            *filled.task_lines(now),
            *_recent_changes(store, which, now=now),
            *_fact_lines(store, which, others, waiting),
            *reminders,
        ],
        lines=filled.page_lines(place, tokens=budget.tokens // _SHARE_OF_PAGES),
    )
    return RecallResult(brief, tuple(ranked))


class _ProjectPages:
    """Tasks and pages of a project, if any."""

    def __init__(self, store: HookStore, which: NoteFilter) -> None:
        self._tasks = store.notes(which.but(kinds=("task",)))
        self._pages = store.notes(which.but(kinds=("page",)))

    def task_lines(self, now: int) -> list[str]:
        """Return open tasks in at most two lines."""
        if not self._tasks:
            return []
        from twiceshy.project.tasks.rules import summarise_tasks

        return summarise_tasks(self._tasks, now=now).splitlines()

    def page_lines(self, place: tuple[str, str], *, tokens: int) -> list[str]:
        """Return pages for the working directory, within budget."""
        if not self._pages:
            return []
        from twiceshy.project.pages.session_excerpts import render_page_lines

        return render_page_lines(self._pages, cwd=place[0], root=place[1], tokens=tokens)


def _newest_pitfall(
    others: Sequence[RankedNote], kept: Sequence[Note], waiting: Sequence[RankedNote], *, now: int
) -> list[Note]:
    """Return the newest pitfall if recent and not told anyway.

    A pitfall about a call is told right before that call instead.
    """
    told = {*(note.id for note in kept), *(one.note.id for one in waiting)}
    fresh = [one.note for one in others if one.note.learned_at > now - _RECENT]
    pitfalls = [note for note in fresh if note.subtype in _PITFALLS and not note.trigger]
    newest = max(pitfalls, key=lambda note: (note.learned_at, note.id), default=None)
    return [newest] if newest and newest.id not in told else []


def _recent_changes(store: HookStore, which: NoteFilter, *, now: int) -> Iterator[str]:
    """Yield pages and notes changed within a day."""
    since = first_clock_of(now - DAY)
    if store.read_journal_clock() < since:
        return
    found = store.list_changed_notes(which.projects or (), since=since, kinds=(*_FACTS, *_WORK))
    changes = [one for one in found if one.note.status == "active"]
    if changes:
        yield f"Changed in the last 24 hours: {_describe_changes(changes)}"


def _describe_changes(changes: Iterable[ChangedNote]) -> str:
    """Summarise changes: pages by name, other kinds by count."""
    counts: dict[str, int] = {}
    names = []
    for change in changes:
        if change.note.kind == "page":
            names.append(f"page {escape_line(change.note.tag, limit=40)}")
        else:
            counts[change.note.kind] = counts.get(change.note.kind, 0) + 1
    others = (f"{count} {kind}{'s' if count > 1 else ''}" for kind, count in counts.items())
    return ", ".join((*names[:_MOST_NAMES], *others))


def _fact_lines(
    store: HookStore,
    which: NoteFilter,
    others: Sequence[RankedNote],
    waiting: Sequence[RankedNote],
) -> Iterator[str]:
    """Yield the number of facts and how to find them, unless told anyway."""
    notes = [one.note for one in others if one.note.kind in _FACTS]
    kinds = {note.kind for note in notes}
    counts = {
        kind: store.count_notes(which.but(kinds=(kind,))) for kind in _FACTS if kind in kinds
    }
    if sum(counts.values()) > sum(one.note.kind in _FACTS for one in waiting):
        count = sum(note.kind == "issue" and note.state == "open" for note in notes)
        said = ", ".join(f"{count} {kind}{'s'[: count != 1]}" for kind, count in counts.items())
        left = f" ({count} open)" if count else ""
        yield f"Kept here: {said}{left}; find them with: twiceshy search"


def brief_subagent_rules(
    store: HookStore, scope: Scope, *, budget: BriefBudget, key: Key
) -> RecallResult:
    """Brief a sub-agent: standing rules only."""
    which = filter_visible_notes(store, scope)
    ranked = _rank_standing(store, which, key, heard=budget.heard_tokens)
    notes = [one.note for one in ranked]
    return RecallResult(
        render_brief(notes, skill="", mode="no-intent", budget=budget), tuple(ranked)
    )


def _rank_standing(
    store: HookStore,
    which: NoteFilter,
    key: Key,
    weights: RankWeights | None = None,
    *,
    heard: int,
) -> list[RankedNote]:
    """Rank standing notes: approved rules, and preferences, the heard ones in ``heard`` tokens."""
    notes = store.notes(which.but(kinds=_RULES, state="current"))
    ranked = rank_notes(notes, {}, now=store.now(), weights=weights)
    if any(note.kind == "preference" and note.source != "user" for note in notes):
        from twiceshy.recall.heard_preferences import limit_heard

        ranked = limit_heard(ranked, tokens=heard)
    if not any(note.kind == "rule" for note in notes):
        return ranked
    from twiceshy.recall.rules import keep_approved_rules

    return keep_approved_rules(store, ranked, key)


def _session_lines(store: HookStore, which: NoteFilter, *, session: str) -> Iterator[str]:
    """Yield the end of the last session of this project, and summaries of earlier ones.

    Taken from the end of the project's log, without this session's own entries.
    """
    own = [project for project in which.projects or () if project != EVERYWHERE]
    since = store.now() - _FRESH
    found = store.list_episodes(own, kinds=_SUMMARIES, since=since, limit=_LOGGED)
    others = [one for one in found if one.session != session and one.summary]
    if not others:
        return
    last, machine = others[0], others[0].kind == "end"
    # what a model summed up says more in as many words
    summary = escape_line(last.summary, limit=_OF_MACHINE) if machine else last.summary
    yield f"Last time here ({format_day(last.ended_at)}): {summary}"
    earlier = [one for one in others if one.session != last.session]
    if earlier:
        from twiceshy.project.episodes.archive import summarise_recent

        yield f"Before that: {summarise_recent(earlier, most=_MOST_LOGGED, limit=_OF_MACHINE)}"
