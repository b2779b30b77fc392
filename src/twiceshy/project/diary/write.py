"""Write the diary of a local day from its episodes and notes; rewrite it on request."""

from __future__ import annotations

from twiceshy.core.errors import NoteError
from twiceshy.core.evidence import Episode
from twiceshy.core.filter import Filter
from twiceshy.core.history import replay_episode
from twiceshy.core.text import clean, one_line
from twiceshy.project.diary.rules import MOST_ADDED, Diary, page
from twiceshy.project.episodes.told import episode_id, facts_of
from twiceshy.project.local_day import bounds, local_clock, local_day
from twiceshy.project.reflect.gather import meet, place_of
from twiceshy.project.reflect.patterns import patterns_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.note import Note

_WORK = ("end", "handoff", "compact", "checkpoint", "note")
_TROUBLE = ("error", "retry", "correction", "thrash")
_MOST = 200
_LONGEST = 200


def write_diary(app: App, project: str, day: str = "", *, add: str = "") -> Episode:
    """Write the diary of a project's day (default today); keep items added before."""
    day = day or local_day(app.store.now())
    began, ended = bounds(day)
    with app.store.change():
        meet(app, project)
        name = episode_id(f"diary:{project}", day)
        known = replay_episode(app.store.history(name))
        added = _added(known.requests if known else (), add)
        diary = _diary(app, project, day, began=began, ended=ended)
        diary = diary.but(later=(*added, *diary.later))
        episode = Episode(
            id=name,
            kind="diary",
            session="",
            project=project,
            started_at=began,
            ended_at=min(ended - 1, max(began, app.store.now())),
            title=f"Diary: {day}",
            summary=page(diary),
            requests=added,
        )
        return _kept(app, known, episode)


def _kept(app: App, known: Episode | None, episode: Episode) -> Episode:
    if known is None:
        app.store.capture(episode)
    else:
        now, before = episode.fields(), known.fields()
        # when it was last looked at is no news
        changed = {
            name: now[name] for name in ("summary", "requests") if now[name] != before[name]
        }
        if changed:
            app.store.record(
                "edit", known.id, changed, before={name: before[name] for name in changed}
            )
    return replay_episode(app.store.history(episode.id)) or episode


def _added(before: tuple[str, ...], add: str) -> tuple[str, ...]:
    said = one_line(clean(add), limit=_LONGEST)
    if not said or said in before:
        return before
    if len(before) >= MOST_ADDED:
        raise NoteError(
            f"the day has {MOST_ADDED} notes for next time already",
            hint="keep it as a task instead: twiceshy todo add",
        )
    return (*before, said)


def _diary(app: App, project: str, day: str, *, began: int, ended: int) -> Diary:
    store = app.store
    own = store.same_project(project)
    episodes = [
        each
        for each in store.episodes(own, kinds=_WORK, since=began, limit=_MOST)
        if each.ended_at < ended
    ]
    which = Filter(projects=own, since=began, until=ended)
    notes = [note for note in store.notes(which, limit=_MOST) if began <= note.learned_at < ended]
    signals = [
        signal
        for each in own
        for kind in _TROUBLE
        for signal in store.signals_of(each, kind, limit=_MOST)
        if signal.at < ended
    ]
    found = patterns_of(episodes, signals, (), since=began, day_of=local_day)
    return Diary(
        day=day,
        project=place_of(app, project)[0],
        did=tuple(_did(episodes)),
        learned=tuple(_learned(note) for note in notes if note.kind not in ("task", "page")),
        patterns=(
            *(f"mostly {work}" for work, _ in found.work[:1]),
            *(f"again, on {each.days} days: {each.example}" for each in found.mistakes[:1]),
        ),
        later=next((each.requests for each in episodes if each.kind == "handoff"), ()),
    )


def _did(episodes: list[Episode]) -> list[str]:
    """Return the day's work in order, one line per session however often it was saved."""
    told: dict[str, str] = {}
    for each in sorted(episodes, key=lambda one: (one.ended_at, one.id)):
        title = facts_of(each).title or one_line(each.summary, limit=_LONGEST)
        if title:
            told[each.session or each.id] = f"{local_clock(each.ended_at)} {title}"
    return list(told.values())


def _learned(note: Note) -> str:
    title = note.text.partition("\n")[0]
    return f"{note.subtype or note.kind}: {title}"
