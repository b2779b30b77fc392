"""Status: counts, locations, and connected runtimes."""

from __future__ import annotations

from twiceshy.core.filter import NoteFilter
from twiceshy.core.value import Value
from twiceshy.notes.find_by_name import visible_projects
from twiceshy.runtimes.installers import list_connected_runtimes
from twiceshy.upkeep.hook_reliability import count_hook_endings

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.app import App
    from twiceshy.core.session import SkillUsage
    from twiceshy.core.store import StoreSummary
    from twiceshy.places.identity import Identity
    from twiceshy.runtimes.installers import Installer
    from twiceshy.upkeep.hook_reliability import HookReliability


class MemoryStatus(Value):
    """Counts of the store and of a project, and connected runtimes."""

    store: StoreSummary
    here: Identity
    own: int  # notes of this project that are shown
    active: int  # notes that hold here, those for all projects among them
    waiting: int  # notes that wait for the user's review here
    usage: tuple[SkillUsage, ...]  # of skills, the most used first
    runtimes: Mapping[str, Installer]
    hooks: HookReliability  # of the last days


def count_memory(app: App) -> MemoryStatus:
    """Count kept records, in total and for the current project."""
    here = app.current_project()
    seen = visible_projects(app, here.id)
    return MemoryStatus(
        store=app.store.summarise_store(),
        here=here,
        own=app.store.count_notes(NoteFilter(projects=seen[:-1])),
        active=app.store.count_notes(NoteFilter(projects=seen, statuses=("active",))),
        waiting=app.store.count_notes(
            NoteFilter(projects=seen, statuses=("candidate", "quarantined"))
        ),
        usage=tuple(
            sorted(app.store.count_skill_usage(), key=lambda used: (-used.sessions, used.skill))
        ),
        runtimes=list_connected_runtimes(app.config.home),
        hooks=count_hook_endings(app.config, now=app.store.now()),
    )
