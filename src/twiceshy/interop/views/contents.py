"""Content of views: each function returns a function that gathers the content at writing time."""

from __future__ import annotations

from twiceshy.core.filter import NoteFilter
from twiceshy.core.retention import ARCHIVE, SAVED
from twiceshy.core.scope import EVERYWHERE
from twiceshy.notes.learned_lesson import lesson_of_note
from twiceshy.project.facts.items import FACT_KINDS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twiceshy.app import App
    from twiceshy.core.evidence import Episode, Signal
    from twiceshy.core.note import Note

    Told = Note | Episode
    Notes = Callable[[App], Sequence[Note]]

_LOGGED = (*SAVED, ARCHIVE)
_NUMBERED = ("active", "retired", "pending removal")
_MANY = 10_000


def show_notes(kinds: Sequence[str], projects: Sequence[str], *, skill: str = "") -> Notes:
    """Gather active notes of given kinds, pinned first, then newest."""
    which = NoteFilter(
        projects=tuple(projects), skill=skill, kinds=tuple(kinds), statuses=("active",)
    )
    return lambda app: app.store.notes(which, limit=_MANY)


def show_lessons(projects: Sequence[str]) -> Notes:
    """Gather lessons without a skill, except those learned by hand, which have files."""
    found = show_notes(("lesson",), projects)
    return lambda app: [note for note in found(app) if not lesson_of_note(note)]


def show_facts(projects: Sequence[str]) -> Notes:
    """Gather active facts; former facts come along to keep their numbers."""
    which = NoteFilter(projects=tuple(projects), skill="", kinds=FACT_KINDS, statuses=_NUMBERED)

    def found(app: App) -> Sequence[Note]:
        numbered = app.store.notes(which, limit=_MANY)
        return numbered if any(note.status == "active" for note in numbered) else []

    return found


def show_note(name: str) -> Notes:
    """Gather a note while active."""

    def found(app: App) -> Sequence[Note]:
        note = app.store.note(name)
        return [note] if note is not None and note.status == "active" else []

    return found


def show_checkpoints(skill: str) -> Callable[[App], Sequence[Signal]]:
    """Gather remarks about a skill, oldest first."""

    def found(app: App) -> Sequence[Signal]:
        newest = app.store.list_signals(EVERYWHERE, "checkpoint", limit=_MANY)
        return [one for one in reversed(newest) if one.skill == skill]

    return found


def find_episode(app: App, name: str) -> Episode | None:
    """Return the current state of an episode."""
    from twiceshy.core.history import replay_episode  # noqa: PLC0415 - only its views need it

    entries = app.store.history(name)
    return replay_episode(entries) if entries else None


def show_episode(name: str) -> Callable[[App], Sequence[Episode]]:
    """Gather an episode."""
    return lambda app: [one] if (one := find_episode(app, name)) else []


def show_session(
    name: str, projects: Sequence[str], *, called: str
) -> Callable[[App], Sequence[Told]]:
    """Gather a session with its facts; imported facts know the session as ``called``."""
    facts = show_notes(FACT_KINDS, projects)

    def found(app: App) -> Sequence[Told]:
        episode = find_episode(app, name)
        if episode is None:
            return []
        names = {called, episode.session} - {""}
        return [episode, *(note for note in facts(app) if note.origin_session in names)]

    return found


def show_archive(projects: Sequence[str], month: str) -> Callable[[App], Sequence[str]]:
    """Gather the archive of a month."""

    def found(app: App) -> Sequence[str]:
        from twiceshy.project.episodes.archive import archive_month, render_archive  # noqa: PLC0415 - only its view needs it

        kept = app.store.list_episodes(projects, kinds=(ARCHIVE,), limit=_MANY)
        text = render_archive([one for one in kept if archive_month(one) == month])
        return [text] if text else []

    return found


def show_text(name: str) -> Callable[[App], Sequence[str]]:
    """Gather a diary or report as written."""
    return lambda app: [one.summary] if (one := find_episode(app, name)) else []


def show_log(projects: Sequence[str]) -> Callable[[App], Sequence[str]]:
    """Gather the summary of each session."""

    def found(app: App) -> Sequence[str]:
        from twiceshy.project.episodes.archive import render_log  # noqa: PLC0415 - only its view needs it

        text = render_log(app.store.list_episodes(projects, kinds=_LOGGED, limit=_MANY))
        return [text] if text else []

    return found


def show_hub(project: str) -> Callable[[App], Sequence[str]]:
    """Gather pointers to the pages of a project, and counts."""

    def found(app: App) -> Sequence[str]:
        from twiceshy.project.pages.project_pages import build_project_hub  # noqa: PLC0415 - only its view needs it

        return [build_project_hub(app, project).text]

    return found


def show_usage(app: App) -> Sequence[str]:
    """Gather skill usage."""
    from twiceshy.interop.formats.fireworks_stats import render_usages  # noqa: PLC0415 - only its view needs it

    used = app.store.count_skill_usage()
    return [render_usages(used)] if used else []
