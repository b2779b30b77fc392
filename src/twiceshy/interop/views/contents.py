"""Content of views: each function returns a function that gathers the content at writing time."""

from __future__ import annotations

from twiceshy.core.filter import Filter
from twiceshy.core.retention import ARCHIVE, SAVED
from twiceshy.core.scope import EVERYWHERE
from twiceshy.notes.learned import learned_of
from twiceshy.project.facts.file import FACTS

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


def notes(kinds: Sequence[str], projects: Sequence[str], *, skill: str = "") -> Notes:
    """Gather active notes of given kinds, pinned first, then newest."""
    which = Filter(projects=tuple(projects), skill=skill, kinds=tuple(kinds), statuses=("active",))
    return lambda app: app.store.notes(which, limit=_MANY)


def lessons(projects: Sequence[str]) -> Notes:
    """Gather lessons without a skill, except those learned by hand, which have files."""
    found = notes(("lesson",), projects)
    return lambda app: [note for note in found(app) if not learned_of(note)]


def facts(projects: Sequence[str]) -> Notes:
    """Gather active facts; former facts come along to keep their numbers."""
    which = Filter(projects=tuple(projects), skill="", kinds=FACTS, statuses=_NUMBERED)

    def found(app: App) -> Sequence[Note]:
        numbered = app.store.notes(which, limit=_MANY)
        return numbered if any(note.status == "active" for note in numbered) else []

    return found


def one_note(name: str) -> Notes:
    """Gather a note while active."""

    def found(app: App) -> Sequence[Note]:
        note = app.store.note(name)
        return [note] if note is not None and note.status == "active" else []

    return found


def checkpoints(skill: str) -> Callable[[App], Sequence[Signal]]:
    """Gather remarks about a skill, oldest first."""

    def found(app: App) -> Sequence[Signal]:
        newest = app.store.signals_of(EVERYWHERE, "checkpoint", limit=_MANY)
        return [one for one in reversed(newest) if one.skill == skill]

    return found


def episode_of(app: App, name: str) -> Episode | None:
    """Return the current state of an episode."""
    from twiceshy.core.history import replay_episode  # noqa: PLC0415 - only its views need it

    entries = app.store.history(name)
    return replay_episode(entries) if entries else None


def one_episode(name: str) -> Callable[[App], Sequence[Episode]]:
    """Gather an episode."""
    return lambda app: [one] if (one := episode_of(app, name)) else []


def session(name: str, projects: Sequence[str], *, called: str) -> Callable[[App], Sequence[Told]]:
    """Gather a session with its facts; imported facts know the session as ``called``."""
    facts = notes(FACTS, projects)

    def found(app: App) -> Sequence[Told]:
        episode = episode_of(app, name)
        if episode is None:
            return []
        names = {called, episode.session} - {""}
        return [episode, *(note for note in facts(app) if note.origin_session in names)]

    return found


def archive(projects: Sequence[str], month: str) -> Callable[[App], Sequence[str]]:
    """Gather the archive of a month."""

    def found(app: App) -> Sequence[str]:
        from twiceshy.project.episodes.archive import archive_page, month_of  # noqa: PLC0415 - only its view needs it

        kept = app.store.episodes(projects, kinds=(ARCHIVE,), limit=_MANY)
        text = archive_page([one for one in kept if month_of(one) == month])
        return [text] if text else []

    return found


def page_of(name: str) -> Callable[[App], Sequence[str]]:
    """Gather a diary or report as written."""
    return lambda app: [one.summary] if (one := episode_of(app, name)) else []


def log(projects: Sequence[str]) -> Callable[[App], Sequence[str]]:
    """Gather the summary of each session."""

    def found(app: App) -> Sequence[str]:
        from twiceshy.project.episodes.log import log_page  # noqa: PLC0415 - only its view needs it

        text = log_page(app.store.episodes(projects, kinds=_LOGGED, limit=_MANY))
        return [text] if text else []

    return found


def hub(project: str) -> Callable[[App], Sequence[str]]:
    """Gather pointers to the pages of a project, and counts."""

    def found(app: App) -> Sequence[str]:
        from twiceshy.project.pages.paging import hub_of  # noqa: PLC0415 - only its view needs it

        return [hub_of(app, project).text]

    return found


def usage(app: App) -> Sequence[str]:
    """Gather skill usage."""
    from twiceshy.interop.formats.fireworks_stats import written  # noqa: PLC0415 - only its view needs it

    used = app.store.usage()
    return [written(used)] if used else []
