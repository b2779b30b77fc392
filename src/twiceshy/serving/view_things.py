"""What a view shows: each function returns one that looks it up when the view is written."""

from __future__ import annotations

from twiceshy.core.filter import Filter
from twiceshy.core.scope import EVERYWHERE

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.signal import Episode, Signal

    Notes = Callable[[App], Sequence[Note]]

SESSIONS = ("end", "compact", "checkpoint")
_LOGGED = (*SESSIONS, "archive")
_MANY = 10_000


def notes(
    kinds: Sequence[str], projects: Sequence[str], *, skill: str = "", subtype: str = ""
) -> Notes:
    """Show the notes of some kinds that are in use, pinned ones first, then those learned last."""
    which = Filter(
        projects=tuple(projects),
        skill=skill,
        kinds=tuple(kinds),
        subtype=subtype,
        lives=("active",),
    )
    return lambda app: app.store.notes(which, limit=_MANY)


def one_note(name: str) -> Notes:
    """Show one note while it is in use."""

    def found(app: App) -> Sequence[Note]:
        note = app.store.note(name)
        return [note] if note is not None and note.life == "active" else []

    return found


def checkpoints(skill: str) -> Callable[[App], Sequence[Signal]]:
    """Show what was written down about a skill in passing, the oldest first."""

    def found(app: App) -> Sequence[Signal]:
        newest = app.store.observed(EVERYWHERE, "checkpoint", limit=_MANY)
        return [one for one in reversed(newest) if one.skill == skill]

    return found


def one_episode(name: str) -> Callable[[App], Sequence[Episode]]:
    """Show one stretch of work."""

    def found(app: App) -> Sequence[Episode]:
        from twiceshy.core.history import replay_episode  # noqa: PLC0415 - only its views need it

        entries = app.store.history(name)
        known = replay_episode(entries) if entries else None
        return [known] if known is not None else []

    return found


def log(projects: Sequence[str]) -> Callable[[App], Sequence[str]]:
    """Show what each session was about."""

    def found(app: App) -> Sequence[str]:
        from twiceshy.core.episode.log import log_page  # noqa: PLC0415 - only its view needs it

        text = log_page(app.store.episodes(projects, kinds=_LOGGED, limit=_MANY))
        return [text] if text else []

    return found


def hub(project: str) -> Callable[[App], Sequence[str]]:
    """Show pointers to the pages of a project, and counts."""

    def found(app: App) -> Sequence[str]:
        from twiceshy.serving.paging import hub_of  # noqa: PLC0415 - only its view needs it

        return [hub_of(app, project).text]

    return found


def usage(app: App) -> Sequence[str]:
    """Show how often skills are used."""
    from twiceshy.core.formats.fireworks_stats import written  # noqa: PLC0415 - only its view needs it

    used = app.store.usage()
    return [written(used)] if used else []
