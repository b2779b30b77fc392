"""Compress the store: fold old sessions into archives, prune unused rows."""

from __future__ import annotations

from twiceshy.core.evidence import Episode
from twiceshy.core.history import WRITE
from twiceshy.core.retention import ARCHIVE, SAVED, due, outlived
from twiceshy.core.value import Value
from twiceshy.project.episodes.archive import archive_id, archived, month_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from twiceshy.core.retention import Retention
    from twiceshy.core.store import Store


class Compressed(Value):
    """Result of compression: folded episodes, pruned rows by table, bytes."""

    folded: int  # episodes
    archives: int  # that they were folded into
    outlived: int  # archives that are gone
    pruned: Mapping[str, int]
    freed: int = 0
    swept: tuple[str, ...] = ()  # files of the memory home

    @property
    def nothing(self) -> bool:
        """True if nothing was due."""
        return not (self.folded or self.outlived or self.pruned or self.freed or self.swept)


def compress(
    store: Store,
    rules: Retention,
    *,
    there: Callable[[str], bool],
    own: Mapping[str, Retention] | None = None,
    plan: bool = False,
) -> Compressed:
    """Compress everything due as one change, or plan the change.

    ``there`` tells whether a transcript exists: more can be learned from an existing transcript.
    ``own`` are project settings, by every id of the project.
    """
    with store.change(rehearsal=plan):
        folded, archives, gone = _fold(store, rules, own or {})
        done = Compressed(folded, archives, gone, store.prune(rules, there=there))
    return done if plan else done.but(freed=store.shrink())


def archives_of(store: Store, *, month: str, projects: tuple[str, ...]) -> list[Episode]:
    """Return the archives of projects for a month, or for every month."""
    return [
        one
        for one in store.episodes(kinds=(ARCHIVE,), limit=None)
        if one.project in projects and (not month or month_of(one) == month)
    ]


def fold(store: Store, archive: Episode, episodes: Sequence[str]) -> None:
    """Replace episodes by an archive, with their history."""
    fields = archive.fields()
    del fields["id"]
    with store.change():
        # its older wordings are in the new one: were they kept, each month would hold itself thirty times
        store.drop(Episode, archive.id, *episodes)
        store.record(WRITE, archive.id, fields)


def _fold(store: Store, rules: Retention, own: Mapping[str, Retention]) -> tuple[int, int, int]:
    """Fold due episodes; return counts of episodes, archives and dropped archives."""
    now, same = store.now(), _Same(store)
    groups: dict[tuple[str, str], list[Episode]] = {}
    saved = store.episodes(kinds=SAVED, limit=None)
    for one in due(saved, rules, now=now, project_of=same, own=own):
        groups.setdefault((same(one.project), month_of(one)), []).append(one)
    known = {one.id: one for one in store.episodes(kinds=(ARCHIVE,), limit=None)}
    for (project, month), episodes in groups.items():
        before = known.get(archive_id(project, month, device=store.device))
        archive = archived(before, episodes, project=project, device=store.device)
        fold(store, archive, [one.id for one in episodes])
    gone = outlived(store.episodes(kinds=(ARCHIVE,), limit=None), rules, now=now)
    store.drop(Episode, *(one.id for one in gone))
    return sum(map(len, groups.values())), len(groups), len(gone)


class _Same:
    """Groups project ids by their first id."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, str] = {}

    def __call__(self, project: str) -> str:
        if project not in self._known:
            self._known[project] = min(self._store.same_project(project))
        return self._known[project]
