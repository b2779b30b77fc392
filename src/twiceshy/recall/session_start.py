"""Brief at session start: rules, tasks, lessons, people's notes, how the last session ended.

Every session pays for every line, so each part is told only if there is something, and a session
about which nothing is known is told nothing.
"""

from __future__ import annotations

from twiceshy.core.filter import filter_visible_notes
from twiceshy.core.moment import DAY, format_day
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import escape_line, fold_to_words
from twiceshy.language.rank import rank_notes
from twiceshy.recall.brief import (
    BriefSection,
    RecallResult,
    no_key,
    render_sections,
    render_start_line,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from twiceshy.config.quick import QuickConfig
    from twiceshy.config.resolved import Config
    from twiceshy.core.evidence import Episode
    from twiceshy.core.filter import NoteFilter
    from twiceshy.core.note import Note
    from twiceshy.core.scope import Scope
    from twiceshy.core.store import HookStore
    from twiceshy.core.trigger import TriggerMatch
    from twiceshy.language.rank import RankedNote, RankWeights
    from twiceshy.recall.brief import BriefBudget, Key

_RULES = ("rule", "preference")
_WRITTEN = ("lesson", "decision", "pattern")
_SUMMARIES = ("compact", "end")
_FRESH = 7 * DAY
_SHARE_OF_PAGES = 4
_LOGGED = 5
_MOST_NAMED = 3
_LONGEST_NAME = 80
_LONGEST_ENDING = 111  # characters; with its frame, a session that needs no more has 60 tokens
_UNCOMMITTED = ", not committed"
_LEFT_OPEN = ('; "', "open: ", "` failed", "interrupted")  # git knows of changed files
_SLACK = 60_000  # between the clocks of a hook and of a transcript


def brief_session_start(
    store: HookStore,
    scope: Scope,
    *,
    budget: BriefBudget,
    key: Key = no_key,
    weights: RankWeights | None = None,
    session: str = "",
    place: tuple[str, str] = ("", ""),
    lessons: Sequence[Note] = (),
    reminders: Sequence[str] = (),
    is_welcome: Callable[[Note], bool] = lambda _: True,
) -> RecallResult:
    """Brief a session on its project, without its own summaries.

    ``lessons`` are told in their order, a line each. ``place`` is the working directory, and the
    root of its project; ``reminders`` are lines for the user. Notes that are not welcome are left out.
    """
    which, now = filter_visible_notes(store, scope), store.now()
    standing = _rank_standing(store, which, key, weights, heard=budget.heard_tokens)
    rules = [one for one in standing if _is_current(one, now)]
    known = {note.id for note in lessons}
    others = [note for note in store.notes(which.but(kinds=_WRITTEN)) if is_welcome(note)]
    ranked = rank_notes(others, {}, now=now, weights=weights)
    written = [one for one in ranked if _is_written(one.note, now) and one.note.id not in known]
    ending = list(_ending_lines(store, which, session=session, root=place[1]))
    told, notes = _choose_written(written, rules, ending, place, budget=budget, now=now)
    pages = _page_lines(store, which, place, tokens=budget.tokens // _SHARE_OF_PAGES)
    brief = render_sections(
        [
            BriefSection(notes=tuple(one.note for one in rules)),
            BriefSection(lines=tuple(_task_lines(store, which))),
            _build_issues(store, which),
            BriefSection(notes=tuple(lessons)),
            notes,
            BriefSection(lines=tuple(ending)),
            BriefSection(lines=tuple(reminders)),
            BriefSection(lines=tuple(pages)),
        ],
        budget=budget,
    )
    return RecallResult(brief, (*rules, *told))


def choose_start_lessons(
    store: HookStore,
    scope: Scope,
    config: Config | QuickConfig,
    *,
    may_tell: Callable[[Note], bool],
    withholds: Callable[[Note], bool],
    concerns: Callable[[TriggerMatch], bool] = lambda _: True,
) -> tuple[list[Note], list[str]]:
    """Choose lessons for a session start: mistakes likely enough to come back to pay for a line.

    Return the programs, too, of which other lessons pay once a session uses them. A lesson that
    does not concern the session is one of these, although it would pay.
    """
    which = filter_visible_notes(store, scope)
    known = store.match_triggers(which.projects or (), which="learned")
    if not known:
        return [], []
    from twiceshy.core.lesson_value import choose_lessons, value_lesson, value_with_program
    from twiceshy.core.prices import read_prices

    prices = read_prices(config)
    trusted = [match for match in known if may_tell(match.note)]
    values = {match.note.id: value_lesson(match) for match in trusted}
    paying = choose_lessons(trusted, prices, value=lambda match, _: values[match.note.id])
    chosen = [match for match, _ in paying if concerns(match)]
    now = {match.note.id for match in chosen}
    later = [match for match in trusted if match.program and match.note.id not in now]
    at_use = choose_lessons(
        later, prices, value=lambda match, _: value_with_program(match, values[match.note.id])
    )
    programs = sorted({match.program for match, _ in at_use})
    return [match.note for match in chosen if not withholds(match.note)], programs


def _is_current(one: RankedNote, now: int) -> bool:
    return not 0 < one.note.expires_at <= now


def _is_written(note: Note, now: int) -> bool:
    """True if a note, written or accepted by somebody, waits for no call of its own."""
    return not note.trigger and not 0 < note.expires_at <= now


def _choose_written(
    written: Sequence[RankedNote],
    rules: Sequence[RankedNote],
    ending: Sequence[str],
    place: tuple[str, str],
    *,
    budget: BriefBudget,
    now: int,
) -> tuple[list[RankedNote], BriefSection]:
    """Choose the notes that are told beside the rules and the ending of the last session."""
    if not written:
        return [], BriefSection()
    from twiceshy.recall.written_notes import choose_written

    beside = [*(render_start_line(one.note) for one in rules), *ending]
    return choose_written(written, place, beside=beside, tokens=budget.idle_tokens, now=now)


def _task_lines(store: HookStore, which: NoteFilter) -> Iterator[str]:
    """Yield the open tasks touched last, on a line."""
    tasks = store.notes(which.but(kinds=("task",), state="open"))
    if len(tasks) > _MOST_NAMED:
        found = store.list_changed_notes(which.projects or (), since=0, kinds=("task",))
        touched = {change.note.id: change.at for change in found}
        tasks.sort(key=lambda task: (not task.pinned, -touched.get(task.id, task.written_at)))
    yield from _name_notes("Open tasks", tasks, command="twiceshy todo")


def _build_issues(store: HookStore, which: NoteFilter) -> BriefSection:
    """Return the open issues on a line; a resolved issue is history."""
    issues = store.notes(which.but(kinds=("issue",), state="open"))
    lines = _name_notes("Open issues", issues, command="twiceshy facts")
    return BriefSection(lines=tuple(lines), shown=tuple(issues[:_MOST_NAMED]))


def _name_notes(what: str, notes: Sequence[Note], *, command: str) -> Iterator[str]:
    if not notes:
        return
    named = "; ".join(
        f"[{note.handle}] {_escape_words(note.text, limit=_LONGEST_NAME)}"
        for note in notes[:_MOST_NAMED]
    )
    more = len(notes) - _MOST_NAMED
    yield f"{what}: {named}" + (f"; {more} more: {command}" if more > 0 else "")


def _page_lines(
    store: HookStore, which: NoteFilter, place: tuple[str, str], *, tokens: int
) -> list[str]:
    """Return pages for the working directory, within budget."""
    pages = store.notes(which.but(kinds=("page",)))
    if not pages:
        return []
    from twiceshy.project.pages.session_excerpts import render_page_lines

    return render_page_lines(pages, cwd=place[0], root=place[1], tokens=tokens)


def _escape_words(text: str, *, limit: int) -> str:
    """Escape a text for a line, cut between words."""
    return escape_line(fold_to_words(text, limit=limit), limit=limit + 1)


def brief_subagent_rules(
    store: HookStore, scope: Scope, *, budget: BriefBudget, key: Key
) -> RecallResult:
    """Brief a sub-agent: standing rules only."""
    which = filter_visible_notes(store, scope)
    ranked = _rank_standing(store, which, key, heard=budget.heard_tokens)
    section = BriefSection(notes=tuple(one.note for one in ranked))
    return RecallResult(render_sections([section], budget=budget), tuple(ranked))


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


def _ending_lines(
    store: HookStore, which: NoteFilter, *, session: str, root: str
) -> Iterator[str]:
    """Yield how the last session of this project ended, if it left something open lately."""
    own = [project for project in which.projects or () if project != EVERYWHERE]
    since = store.now() - _FRESH
    found = store.list_episodes(own, kinds=_SUMMARIES, since=since, limit=_LOGGED)
    others = [one for one in found if one.session != session]
    if not others or _goes_on_later(store, others[0]):
        return
    ended = _read_ending(others[0])
    if _UNCOMMITTED in ended and _is_committed_since(root, others[0].ended_at, now=store.now()):
        ended = ended.replace(_UNCOMMITTED, "")
    if ended and not _left_nothing(ended):
        day = format_day(others[0].ended_at)
        yield f"Last session ({day}): {escape_line(ended, limit=300)}"


def _is_committed_since(root: str, at: int, *, now: int) -> bool:
    """True if somebody committed, or moved to another commit, after a session ended."""
    from twiceshy.places.repository import find_last_move

    return bool(root) and at < find_last_move(root) <= now + _SLACK


def _left_nothing(ended: str) -> bool:
    """True if a session only committed or changed files, of which git tells."""
    if not ended.startswith(("committed ", "changed ")):
        return False
    behind = ended.split('"', 2)[-1] if ended.startswith("committed ") else ended
    return not any(sign in behind for sign in _LEFT_OPEN)


def _goes_on_later(store: HookStore, episode: Episode) -> bool:
    """True if its session has had a prompt that the episode does not cover yet."""
    known = store.session(episode.session) if episode.session else None
    return known is not None and known.seen_at > episode.ended_at + _SLACK


def _read_ending(episode: Episode) -> str:
    """Return how an episode ended: by its last steps, or in whole sentences of its author."""
    from twiceshy.project.episodes.facts import parse_episode_facts

    facts = parse_episode_facts(episode)
    if facts.messages and episode.kind == "end":
        return fold_to_words(facts.ended, limit=_LONGEST_ENDING)
    from twiceshy.project.episodes.closing_words import choose_last_sentences

    return choose_last_sentences(facts.text, limit=_LONGEST_ENDING)
