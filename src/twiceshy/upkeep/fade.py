"""Let candidates fade that nobody needed, and proposed rules expire that nobody decided about.

A run looks at a bounded number of notes and is one change, so that ``undo`` takes it back. Nothing
is erased: a candidate comes back when its mistake is made again in another session.
"""

from __future__ import annotations

import json
import os

from twiceshy.app import App, user_home
from twiceshy.config.load import load_config
from twiceshy.core.admit import FADED
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import DAY, SECOND
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.value import Value
from twiceshy.core.worth import FAINT, fading_strength
from twiceshy.notes.decay import is_learned_candidate
from twiceshy.notes.propose import PROPOSAL_EXPIRED, list_proposals
from twiceshy.notes.write import (
    NoteLimits,
    change_note,
    find_return_time,
    note_limits_of,
    retire_surplus_candidates,
)
from twiceshy.upkeep.rest_preferences import rest_preferences

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from twiceshy.core.note import Note
    from twiceshy.core.scope import Scope
    from twiceshy.core.store import Store

FADE = "fade"  # the name of its lease and of its runs
MOST_RETIRED = 200  # in one run; the next one goes on


class FadeReport(Value):
    """Result of a run: retired and expired notes, and notes left for the next run."""

    faded: int = 0
    crowded: int = 0
    expired: int = 0
    left: int = 0


def fade_daily(app: App) -> FadeReport | None:
    """Fade in passing, at most once a day, by a single process; None if done today."""
    # nobody gives this lease back: for a day there is nothing more to do
    if not app.store.take_lease(FADE, app.store.new_id(), seconds=DAY // SECOND):
        return None
    run, user = app.store.begin_run(FADE), user_home()
    # what a project says is left out: the notes of all are looked at
    bounds = note_limits_of(load_config(os.environ, cwd=user, home_dir=user))
    with app.store.change():
        faded = retire_faded(app)
        crowded = retire_crowded(app, bounds)
        expired = expire_proposals(app, bounds.proposal_days)
        rest_preferences(app)
    done = FadeReport(len(faded), len(crowded), len(expired), left=_count_faded(app))
    app.store.save_records(run.but(done=json.dumps(done.fields()), ended_at=app.store.now()))
    return done


def sum_runs(app: App, *, since: int) -> FadeReport:
    """Add up the runs since a time; ``left`` is that of the last run."""
    runs = [run for run in app.store.list_runs(FADE, limit=100) if run.began_at >= since]
    reports = [_parse_report(run.done) for run in runs]
    total = {
        name: sum(getattr(one, name) for one in reports)
        for name in ("faded", "crowded", "expired")
    }
    return FadeReport.of(total | {"left": reports[0].left if reports else 0})


def retire_faded(app: App, *, most: int = MOST_RETIRED) -> list[Note]:
    """Retire candidates not needed for many sessions of their scope, the oldest first."""
    with app.store.change():
        found = list(_list_faded(app.store))[:most]
        return [
            change_note(app, "retire", note, status="retired", reason=_describe_fading(idle))
            for note, idle in found
        ]


def retire_crowded(app: App, bounds: NoteLimits, *, most: int = MOST_RETIRED) -> list[Note]:
    """Retire the least valuable candidates of projects with more than the cap."""
    with app.store.change():
        projects = sorted({note.scope.project for note in _list_candidates(app.store)})
        gone: list[Note] = []
        for project in projects:
            left = most - len(gone)
            gone += retire_surplus_candidates(app, project, bounds, most=left) if left else []
        return gone


def expire_proposals(app: App, days: int) -> list[Note]:
    """Retire proposed rules that nobody decided about in so many days; 0 for never."""
    until = app.store.now(believed=True) - days * DAY
    with app.store.change():
        due = [
            note
            for note in (list_proposals(app.store) if days else ())
            if max(note.written_at, find_return_time(app.store, note)) <= until
        ]
        reason = f"{PROPOSAL_EXPIRED}nobody decided within {days} days"
        return [
            change_note(app, "expire", note, status="retired", reason=reason)
            for note in due[:MOST_RETIRED]
        ]


def _list_faded(store: Store) -> Iterable[tuple[Note, int]]:
    """Yield faded candidates with the sessions since they were needed."""
    starts: dict[Scope, list[int]] = {}
    projects = max(1, len(store.list_projects()))
    for note in sorted(_list_candidates(store), key=lambda note: (note.learned_at, note.id)):
        if note.scope not in starts:
            starts[note.scope] = store.list_session_starts(note.scope)
        sessions = starts[note.scope]
        # a note for every project is not asked for in each of their sessions
        share = projects if note.scope.project == EVERYWHERE else 1
        if fading_strength(sessions, since=note.learned_at, times=note.sightings * share) >= FAINT:
            continue
        since = max(note.learned_at, _find_shown_time(store, note), find_return_time(store, note))
        if fading_strength(sessions, since=since, times=note.sightings * share) < FAINT:
            yield note, sum(at > since for at in sessions)


def _count_faded(app: App) -> int:
    return sum(1 for _ in _list_faded(app.store))


def _list_candidates(store: Store) -> list[Note]:
    waiting = store.notes(NoteFilter(statuses=("candidate",)), limit=None)
    return [note for note in waiting if is_learned_candidate(note)]


def _find_shown_time(store: Store, note: Note) -> int:
    shown = store.list_exposures(note=note.id, limit=1) if note.recalls else []
    return shown[0].at if shown else 0


def _describe_fading(idle: int) -> str:
    return f"{FADED}not needed in {idle} sessions"


def _parse_report(done: str) -> FadeReport:
    try:
        found: Mapping[str, object] = json.loads(done or "{}")
    except ValueError:
        return FadeReport()
    known = {name: found.get(name) for name in FadeReport.__fields__}
    return FadeReport.of({name: one for name, one in known.items() if isinstance(one, int)})
