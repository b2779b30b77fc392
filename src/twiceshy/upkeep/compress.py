"""Compress the memory home: fold old sessions into archives, prune unused rows, sweep files.

Of the files, only plain files with names of our temporary files go; no link is followed, and files
of the store are not touched.
"""

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache

from twiceshy.app import App, user_home
from twiceshy.config.load import load_config
from twiceshy.config.resolved import Config
from twiceshy.core.errors import ConfigError
from twiceshy.core.evidence import Episode
from twiceshy.core.grouping import group_by
from twiceshy.core.history import WRITE
from twiceshy.core.moment import DAY, SECOND
from twiceshy.core.retention import (
    ARCHIVE,
    SAVED,
    Retention,
    list_due_episodes,
    list_expired_archives,
)
from twiceshy.core.store import Store
from twiceshy.core.value import Value
from twiceshy.files.replace import DRAFT
from twiceshy.files.session_hashes import FOLDER as FOUND
from twiceshy.learning.requests import list_set_aside
from twiceshy.project.episodes.archive import archive_id, archive_month, build_archive
from twiceshy.project.episodes.refine import TRANSCRIPTS
from twiceshy.recall.capture import CALLS
from twiceshy.runtimes.receipt import list_receipts, load_receipt
from twiceshy.runtimes.transcripts import reader_for_path
from twiceshy.store.store_file import UNBORN

_RESCUED = "rescued"
_REPORT = "bug-report-"
_LEASE = "compress"


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
    now, same = (
        store.now(believed=True),
        cache(lambda project: min(store.list_project_ids(project))),
    )
    saved = store.list_episodes(kinds=SAVED, limit=None)
    due = list_due_episodes(saved, rules, now=now, project_of=same, own=own)
    groups = group_by(due, lambda one: (same(one.project), archive_month(one)))
    known = {one.id: one for one in store.list_episodes(kinds=(ARCHIVE,), limit=None)}
    for (project, month), episodes in groups.items():
        before = known.get(archive_id(project, month, device=store.device))
        archive = build_archive(before, episodes, project=project, device=store.device)
        keep_archive(store, archive, [one.id for one in episodes])
    gone = list_expired_archives(store.list_episodes(kinds=(ARCHIVE,), limit=None), rules, now=now)
    store.drop_records(Episode, *(one.id for one in gone))
    return sum(map(len, groups.values())), len(groups), len(gone)


def sweep_files(
    home: str, now: int, rules: Retention, *, plan: bool = False, elsewhere: Sequence[str] = ()
) -> tuple[str, ...]:
    """Remove expired files, or list them; return paths, inside the home relative to it.

    Folders ``elsewhere`` belong to clients or to the user: only our old drafts in them are removed.
    """
    state, archive = rules.state_since(now), rules.archive_since(now)
    evidence = rules.evidence_since(now)
    over = [
        *_list_home_files(home, reports=archive, drafts=state),
        *_is_old(os.path.join(home, "guard"), state),  # what sessions were told once
        *_is_old(os.path.join(home, CALLS), state),
        *_is_old(os.path.join(home, FOUND), state),
        *_is_old(os.path.join(home, "keeper"), archive),  # counters of projects
        *_is_old(os.path.join(home, TRANSCRIPTS), archive),
        # a session that starts writes them anew; until then its calls are looked up in the store
        *_is_old(os.path.join(home, "watch"), evidence),
        *_rescued_stores(os.path.join(home, _RESCUED), evidence),
        *(one.path for one in list_set_aside(home) if one.at // 1_000_000 < evidence),
        *list_old_drafts((*_list_own_folders(home), *elsewhere), state),
    ]
    if not plan:
        over = [path for path in over if _remove_file(path)]
        _remove_empty_folders(os.path.join(home, _RESCUED))
    inside = os.path.join(home, "")
    return tuple(path.removeprefix(inside) for path in sorted(over))


def list_old_drafts(folders: Iterable[str], before: int) -> Iterator[str]:
    """Yield drafts that killed processes of this user left: plain files with a name of ours."""
    for folder in dict.fromkeys(folders):
        for path, at in _plain_files(folder):
            if at < before and _is_own_draft(path):
                yield path


def _is_own_draft(path: str) -> bool:
    """True for a file of this user with a name of a draft: the mark, and twelve hex digits."""
    mark, _, digits = os.path.basename(path).rpartition("-")
    if f"{mark}-" != DRAFT or len(digits) != 12 or digits.strip("0123456789abcdef"):
        return False
    try:
        return os.lstat(path).st_uid == os.geteuid()
    except OSError:
        return False  # somebody was quicker


def list_written_folders(app: App) -> list[str]:
    """Return the folders outside the memory home in which installs and views write files."""
    home = app.config.home
    written = [view.path for view in app.store.list_views()]
    for runtime in list_receipts(home):
        with suppress(ConfigError):  # a damaged receipt; doctor tells
            receipt = load_receipt(home, runtime)
            written += [file.path for file in receipt.files] if receipt else []
    folders = dict.fromkeys(os.path.realpath(os.path.dirname(path)) for path in written)
    return [folder for folder in folders if not folder.startswith(os.path.join(home, ""))]


def _list_own_folders(home: str) -> Iterator[str]:
    """Yield the folders below the memory home, without the clone, which is git's."""
    for folder in _plain_folders(home):
        if os.path.basename(folder) != "sync":
            yield folder
            yield from _list_own_folders(folder)


def _list_home_files(home: str, *, reports: int, drafts: int) -> Iterator[str]:
    for path, at in _plain_files(home):
        name = os.path.basename(path)
        # of a process that was killed while it replaced a file, or created the store
        draft = name.startswith((DRAFT, UNBORN))
        if at < (reports if name.startswith(_REPORT) else drafts if draft else 0):
            yield path


def _rescued_stores(folder: str, before: int) -> Iterator[str]:
    """Yield old files of rescued damaged stores, each store as a whole."""
    for place in _plain_folders(folder):
        files = list(_plain_files(place))
        if all(at < before for _, at in files):
            yield from (path for path, _ in files)


def _is_old(folder: str, before: int) -> Iterator[str]:
    return (path for path, at in _plain_files(folder) if at < before)


def _plain_files(folder: str) -> Iterator[tuple[str, int]]:
    """Yield plain files of a real folder, with modification times."""
    for entry in _list_entries(folder):
        try:
            found = entry.stat(follow_symlinks=False)
        except OSError:
            continue  # somebody was quicker
        if stat.S_ISREG(found.st_mode):
            yield entry.path, found.st_mtime_ns // 1_000_000


def _plain_folders(folder: str) -> Iterator[str]:
    return (entry.path for entry in _list_entries(folder) if entry.is_dir(follow_symlinks=False))


def _list_entries(folder: str) -> list[os.DirEntry[str]]:
    if os.path.islink(folder):
        return []
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _remove_file(path: str) -> bool:
    try:
        os.unlink(path)
    except OSError:
        return False
    return True


def _remove_empty_folders(folder: str) -> None:
    """Remove empty folders."""
    for place in (*_plain_folders(folder), folder):
        if not _list_entries(place) and not os.path.islink(place) and os.path.isdir(place):
            os.rmdir(place)


def compress_home(app: App, *, plan: bool = False) -> CompressReport:
    """Fold, prune and sweep everything due, or plan the work.

    A project's settings file concerns only that project: a clone must not shorten the history of
    other projects.
    """
    own = dict.fromkeys(
        app.store.list_project_ids(app.current_project().id), retention_of(app.config)
    )
    user = user_home()
    rules = retention_of(load_config(os.environ, cwd=user, home_dir=user))
    done = compress_store(app.store, rules, there=has_transcript, own=own, plan=plan)
    now, elsewhere = app.store.now(believed=True), list_written_folders(app)
    swept = sweep_files(app.config.home, now, rules, plan=plan, elsewhere=elsewhere)
    return done.but(swept=swept)


def compress_daily(app: App) -> CompressReport | None:
    """Compress in passing, at most once a day, by a single process."""
    # nobody gives this lease back: for a day there is nothing more to do
    if not app.store.take_lease(_LEASE, app.store.new_id(), seconds=DAY // SECOND):
        return None
    return compress_home(app)


def retention_of(config: Config) -> Retention:
    """Return the retention limits of the settings."""
    return Retention.of(
        {name: config.integer(f"retention.{name}") for name in Retention.__fields__}
    )


def has_transcript(transcript: str) -> bool:
    """True if a transcript can still be read."""
    return reader_for_path(transcript).transcript_size(transcript) >= 0
