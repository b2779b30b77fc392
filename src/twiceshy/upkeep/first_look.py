"""What a user sees who only types the name of the program: the project's memory in five lines."""

from __future__ import annotations

from twiceshy.core.filter import NoteFilter
from twiceshy.core.value import Value
from twiceshy.effect.week import count_recent_work
from twiceshy.notes.find_by_name import visible_projects
from twiceshy.notes.review import choose_waiting
from twiceshy.runtimes.installers import list_connected_runtimes

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.app import App
    from twiceshy.effect.week import RecentWork

OPEN_TASK = "open"


class FirstLook(Value):
    """The memory of a project at a glance, and what its user may do next."""

    project: str
    counts: Mapping[str, int]  # note, rule, task, page → shown ones of this project
    runtimes: tuple[str, ...]  # titles of connected clients
    recent: RecentWork
    waiting: int
    claims: bool  # the checkout says to be a known project, without proof

    @property
    def next_step(self) -> str:
        """Return the command that helps most now."""
        if not self.runtimes:
            return "install"
        if self.claims:
            return "project"
        if self.waiting:
            return "review"
        return "list" if any(self.counts.values()) else "replay"


def look_first(app: App) -> FirstLook:
    """Count what is known in the current project, and what waits."""
    here = app.current_project()
    seen = visible_projects(app, here.id)
    return FirstLook(
        project=here.name,
        counts=count_by_kind(app, seen[:-1]),
        runtimes=tuple(one.TITLE for one in list_connected_runtimes(app.config.home).values()),
        recent=count_recent_work(app),
        waiting=sum(
            choose_waiting(app.store, key=app.rule_key(), projects=seen, most=0).counts.values()
        ),
        claims=bool(here.claimed),
    )


def count_by_kind(app: App, projects: tuple[str, ...]) -> dict[str, int]:
    """Count the shown notes by the four kinds that people choose from; done tasks do not count."""
    counts = dict.fromkeys(("note", "rule", "task", "page"), 0)
    for note in app.store.notes(NoteFilter(projects=projects, statuses=("active",)), limit=None):
        if note.kind != "task" or note.state in ("", OPEN_TASK):
            counts[note.kind if note.kind in counts else "note"] += 1
    return counts
