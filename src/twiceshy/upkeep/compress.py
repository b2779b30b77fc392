"""Compress the store: fold old sessions into archives, prune unused rows."""

from __future__ import annotations

from twiceshy.core.evidence import Episode
from twiceshy.core.history import WRITE
from twiceshy.core.retention import ARCHIVE, SAVED, list_due_episodes, list_expired_archives
from twiceshy.core.value import Value
from twiceshy.project.episodes.archive import archive_id, archive_month, build_archive

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from twiceshy.core.retention import Retention
    from twiceshy.core.store import Store


class CompressReport(Value):
    """Result of compression: folded episodes, pruned rows by table, bytes."""

    folded: int  # episodes
    archives: int  # that they were folded into
    outlived: int  # archives that are gone
    pruned: Mapping[str, int]
    freed: int = 0
    swept: tuple[str, ...] = ()  # files of the memory home

    @property
    def is_empty(self) -> bool:
        """True if nothing was due."""
        return not (self.folded or self.outlived or self.pruned or self.freed or self.swept)


def compress_store(
    store: Store,
    rules: Retention,
    *,
    there: Callable[[str], bool],
    own: Mapping[str, Retention] | None = None,
    plan: bool = False,
) -> CompressReport:
    """Compress everything due as one change, or plan the change.

    ``there`` tells whether a transcript exists: more can be learned from an existing transcript.
    ``own`` are project settings, by every id of the project.
    """
    with store.change(rehearsal=plan):
        folded, archives, gone = _fold_episodes(store, rules, own or {})
        done = CompressReport(folded, archives, gone, store.prune(rules, transcript_exists=there))
    return done if plan else done.but(freed=store.shrink())


def list_archives(store: Store, *, month: str, projects: tuple[str, ...]) -> list[Episode]:
    """Return the archives of projects for a month, or for every month."""
    return [
        one
        for one in store.list_episodes(kinds=(ARCHIVE,), limit=None)
        if one.project in projects and (not month or archive_month(one) == month)
    ]


def keep_archive(store: Store, archive: Episode, episodes: Sequence[str]) -> None:
    """Replace episodes by an archive, with their history."""
    fields = archive.fields()
    del fields["id"]
    with store.change():
        # its older wordings are in the new one: were they kept, each month would hold itself thirty times
        store.drop_records(Episode, archive.id, *episodes)
        store.record_entry(WRITE, archive.id, fields)


def _fold_episodes(
    store: Store, rules: Retention, own: Mapping[str, Retention]
) -> tuple[int, int, int]:
    """Fold due episodes; return counts of episodes, archives and dropped archives."""
    now, same = store.now(), _ProjectGroups(store)
    groups: dict[tuple[str, str], list[Episode]] = {}
    saved = store.list_episodes(kinds=SAVED, limit=None)
    for one in list_due_episodes(saved, rules, now=now, project_of=same, own=own):
        groups.setdefault((same(one.project), archive_month(one)), []).append(one)
    known = {one.id: one for one in store.list_episodes(kinds=(ARCHIVE,), limit=None)}
    for (project, month), episodes in groups.items():
        before = known.get(archive_id(project, month, device=store.device))
        archive = build_archive(before, episodes, project=project, device=store.device)
        keep_archive(store, archive, [one.id for one in episodes])
    gone = list_expired_archives(store.list_episodes(kinds=(ARCHIVE,), limit=None), rules, now=now)
    store.drop_records(Episode, *(one.id for one in gone))
    return sum(map(len, groups.values())), len(groups), len(gone)


class _ProjectGroups:
    """Groups project ids by their first id."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, str] = {}

    def __call__(self, project: str) -> str:
        if project not in self._known:
            self._known[project] = min(self._store.list_project_ids(project))
        return self._known[project]
