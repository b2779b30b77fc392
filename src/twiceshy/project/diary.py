"""Write the diary of a local day from its episodes and notes; rewrite it on request.

The page has under 30 lines and the sections of memory-engine's diary. A diary that another program
wrote is printed as its writer left it.
"""

from collections.abc import Sequence

from twiceshy.app import App
from twiceshy.core.errors import NoteError
from twiceshy.core.evidence import WITHHELD_PART, Episode
from twiceshy.core.filter import NoteFilter
from twiceshy.core.history import replay_episode
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.value import Value
from twiceshy.project.episodes.facts import episode_id, parse_episode_facts
from twiceshy.project.local_day import day_bounds, format_local_day, format_local_time
from twiceshy.project.reflect.gather import project_name_and_root, record_current_project
from twiceshy.project.reflect.patterns import find_patterns, list_trouble
from twiceshy.project.reflect.sentences import count_failures, say_correction, say_lesson

MAX_ADDED = 5
LATER = "Notes for next time"
# The head takes two lines and each section two more than what it lists: 27 in all.
_MAX_ITEMS = {
    "What I did today": 5,
    "What I learned": 4,
    "Patterns I noticed": 3,
    LATER: MAX_ADDED,
}
_MAX_LINE = 120
_IMPORTED = "import:"  # begins the session of an episode that another program wrote
_WORK_KINDS = ("end", "handoff", "compact", "checkpoint", "note")

_MAX_ROWS = 200
_MAX_ITEM = 200


class Diary(Value):
    """Content of a day's diary.

    ``later`` lists notes for next time: items added by the user, then items of the handoff.
    """

    day: str
    project: str
    did: tuple[str, ...] = ()
    learned: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    later: tuple[str, ...] = ()


def render_diary(diary: Diary) -> str:
    """Render the diary page of a day; count the items that do not fit."""
    lines = [f"# Diary {diary.day}", f"**Project:** {_fold_line(diary.project)}"]
    items = (diary.did, diary.learned, diary.patterns, diary.later)
    for (heading, most), some in zip(_MAX_ITEMS.items(), items, strict=True):
        lines += ["", f"## {heading}", *_list_items(some, most)]
    return "\n".join(lines) + "\n"


def _list_items(items: Sequence[str], most: int) -> list[str]:
    told = [line for item in items if (line := _fold_line(item))]
    if len(told) <= most:
        return [f"- {line}" for line in told]
    shown = told[: most - 1]
    return [*(f"- {line}" for line in shown), f"- and {len(told) - len(shown)} more"]


def _fold_line(text: str) -> str:
    return fold_to_line(strip_unsafe(text), limit=_MAX_LINE)


def write_diary(app: App, project: str, day: str = "", *, add: str = "") -> Episode:
    """Write the diary of a project's day (default today); keep items added before."""
    day = day or format_local_day(app.store.now())
    began, ended = day_bounds(day)
    with app.store.change():
        record_current_project(app, project)
        name = episode_id(f"diary:{project}", day)
        known = _find_imported(app, day, project) or replay_episode(app.store.history(name))
        if known and known.session.startswith(_IMPORTED):
            return _add_to_imported(app, known, add)
        added = _append_item(known.requests if known else (), add)
        diary = _build_diary(app, project, day, began=began, ended=ended)
        diary = diary.but(later=(*added, *diary.later))
        episode = Episode(
            id=name,
            kind="diary",
            session="",
            project=project,
            started_at=began,
            ended_at=min(ended - 1, max(began, app.store.now())),
            title=f"Diary: {day}",
            summary=render_diary(diary),
            requests=added,
        )
        saved = _save_episode(app, known, episode)
        return _read_told(app, saved) if app.store.for_agents else saved


def _find_imported(app: App, day: str, project: str) -> Episode | None:
    """Return the diary of a day that another program wrote: of the project, or of all."""
    names = (episode_id(f"diary:{where}", day) for where in (project, EVERYWHERE))
    known = (replay_episode(app.store.history(name)) for name in names)
    return next((one for one in known if one and one.session.startswith(_IMPORTED)), None)


def _add_to_imported(app: App, known: Episode, add: str) -> Episode:
    """Add a note for next time to a diary that stays as its writer left it."""
    said = fold_to_line(strip_unsafe(add), limit=_MAX_ITEM)
    if said and f"- {said}" not in known.summary.splitlines():
        heading, text = f"## {LATER}\n", known.summary.rstrip("\n") + "\n"
        head = "" if heading in text else f"\n{heading}"
        known = _save_episode(app, known, known.but(summary=f"{text}{head}- {said}\n"))
    return _read_told(app, known) if app.store.for_agents else known


def _read_told(app: App, saved: Episode) -> Episode:
    """Return the diary as agents may be told of it."""
    told = app.store.list_episodes(kinds=("diary",), limit=1, name=saved.id)
    return told[0] if told else saved.but(summary=WITHHELD_PART, requests=())


def _save_episode(app: App, known: Episode | None, episode: Episode) -> Episode:
    if known is None:
        app.store.capture(episode)
    else:
        # when it was last looked at is no news
        before = {"summary": known.summary, "requests": known.requests}
        after = {"summary": episode.summary, "requests": episode.requests}
        changed = {name: value for name, value in after.items() if value != before[name]}
        if changed:
            was = {name: before[name] for name in changed}
            app.store.record_entry("edit", known.id, changed, before=was)
    return replay_episode(app.store.history(episode.id)) or episode


def _append_item(before: tuple[str, ...], add: str) -> tuple[str, ...]:
    said = fold_to_line(strip_unsafe(add), limit=_MAX_ITEM)
    if not said or said in before:
        return before
    if len(before) >= MAX_ADDED:
        raise NoteError(
            f"the day has {MAX_ADDED} notes for next time already",
            hint="keep it as a task instead: twiceshy todo add",
        )
    return (*before, said)


def _build_diary(app: App, project: str, day: str, *, began: int, ended: int) -> Diary:
    store = app.store
    own = store.list_project_ids(project)
    since = store.list_episodes(own, kinds=_WORK_KINDS, since=began, limit=_MAX_ROWS)
    episodes = [each for each in since if each.ended_at < ended]
    found = store.notes(NoteFilter(projects=own, since=began, until=ended), limit=_MAX_ROWS)
    notes = [note for note in found if began <= note.learned_at < ended]
    trouble = list_trouble(store, own, limit=_MAX_ROWS)
    signals = [signal for signal in trouble if signal.at < ended]
    patterns = find_patterns(episodes, signals, day_of=format_local_day)
    return Diary(
        day=day,
        project=project_name_and_root(app, project)[0],
        did=tuple(_list_sessions(episodes)),
        learned=tuple(
            say_lesson(note, count_failures(store, note, since=began, until=ended))
            for note in notes
            if note.kind not in ("task", "page")
        ),
        patterns=(
            *(f"mostly {work}" for work, _ in patterns.work[:1]),
            *(say_correction(each) for each in patterns.repeated[:1]),
            *(f"again, on {each.days} days: {each.example}" for each in patterns.mistakes[:1]),
        ),
        later=next((each.requests for each in episodes if each.kind == "handoff"), ()),
    )


def _list_sessions(episodes: list[Episode]) -> list[str]:
    """Return the day's work in order, one line per session however often it was saved."""
    told: dict[str, str] = {}
    for each in sorted(episodes, key=lambda one: (one.ended_at, one.id)):
        title = parse_episode_facts(each).title or fold_to_line(each.summary, limit=_MAX_ITEM)
        if title:
            told[each.session or each.id] = f"{format_local_time(each.ended_at)} {title}"
    return list(told.values())
