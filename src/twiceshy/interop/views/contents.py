"""Content of views, gathered from the store at writing time."""

from collections.abc import Sequence

from twiceshy.app import App
from twiceshy.core.evidence import Episode
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import format_day
from twiceshy.core.note import Note
from twiceshy.core.retention import ARCHIVE, SAVED
from twiceshy.interop.formats.pieces import parse_day_or_zero
from twiceshy.notes.learned_lesson import lesson_of_note
from twiceshy.project.facts.items import FACT_KINDS

_LOGGED = (*SAVED, ARCHIVE)
_EVERY_KIND = (*SAVED, ARCHIVE, "note", "handoff", "diary", "reflect")
_NUMBERED = ("active", "retired", "pending removal")
_MANY = 10_000


def gather_notes(
    app: App, kinds: Sequence[str], projects: Sequence[str], *, skill: str = ""
) -> Sequence[Note]:
    """Return active notes of given kinds, pinned first, then newest."""
    which = NoteFilter(projects=tuple(projects), skill=skill, kinds=tuple(kinds))
    return app.store.notes(which.but(statuses=("active",)), limit=_MANY)


def gather_matching(app: App, which: NoteFilter) -> Sequence[Note]:
    """Return every note that matches a filter, pinned first, then newest."""
    return app.store.notes(which, limit=_MANY)


def gather_lessons(app: App, projects: Sequence[str]) -> Sequence[Note]:
    """Return lessons without a skill, except those learned by hand, which have files."""
    found = gather_notes(app, ("lesson",), projects)
    return [note for note in found if not lesson_of_note(note)]


def gather_facts(app: App, projects: Sequence[str]) -> Sequence[Note]:
    """Return active facts; former facts come along to keep their numbers."""
    which = NoteFilter(projects=tuple(projects), skill="", kinds=FACT_KINDS, statuses=_NUMBERED)
    numbered = app.store.notes(which, limit=_MANY)
    return numbered if any(note.status == "active" for note in numbered) else []


def gather_note(app: App, name: str) -> Sequence[Note]:
    """Return a note while active."""
    return app.store.notes(NoteFilter(ending=name, statuses=("active",)), limit=1)


def diary_day(diary: Episode) -> str:
    """Return the day of a diary in its writer's calendar."""
    said = diary.title.removeprefix("Diary: ")
    return said if parse_day_or_zero(said) else format_day(diary.started_at)


def find_episode(app: App, name: str) -> Episode | None:
    """Return the current state of an episode."""
    from twiceshy.core.history import replay_episode  # noqa: PLC0415 - only its views need it

    entries = app.store.history(name)
    return replay_episode(entries) if entries else None


def gather_episode(app: App, name: str) -> Sequence[Episode]:
    """Return an episode, if known, as agents may be told of it."""
    return app.store.list_episodes(kinds=_EVERY_KIND, limit=1, name=name)


def gather_session(
    app: App, name: str, projects: Sequence[str], called: str
) -> Sequence[Note | Episode]:
    """Return a session with its facts; imported facts know the session as ``called``."""
    episode = next(iter(gather_episode(app, name)), None)
    if episode is None:
        return []
    names = {called, episode.session} - {""}
    facts = gather_notes(app, FACT_KINDS, projects)
    return [episode, *(note for note in facts if note.origin_session in names)]


def render_archive_of(app: App, projects: Sequence[str], month: str) -> Sequence[str]:
    """Return the archive of a month."""
    from twiceshy.project.episodes.archive import archive_month, render_archive  # noqa: PLC0415 - only its view needs it

    kept = app.store.list_episodes(projects, kinds=(ARCHIVE,), limit=_MANY)
    text = render_archive([one for one in kept if archive_month(one) == month])
    return [text] if text else []


def gather_text(app: App, name: str) -> Sequence[str]:
    """Return a diary or report as written."""
    return [one.summary for one in gather_episode(app, name)]


def render_log_of(app: App, projects: Sequence[str]) -> Sequence[str]:
    """Return the summary of each session."""
    from twiceshy.project.episodes.archive import render_log  # noqa: PLC0415 - only its view needs it

    text = render_log(app.store.list_episodes(projects, kinds=_LOGGED, limit=_MANY))
    return [text] if text else []


def render_hub_of(app: App, project: str) -> Sequence[str]:
    """Return pointers to the pages of a project, and counts."""
    from twiceshy.project.pages.project_pages import build_project_hub  # noqa: PLC0415 - only its view needs it

    return [build_project_hub(app, project).text]


def render_usage(app: App) -> Sequence[str]:
    """Return skill usage."""
    from twiceshy.interop.formats.fireworks import render_usages  # noqa: PLC0415 - only its view needs it

    used = app.store.count_skill_usage()
    return [render_usages(used)] if used else []
