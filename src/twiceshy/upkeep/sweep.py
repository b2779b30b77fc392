"""Remove expired temporary files from the memory home.

Only plain files with names of our temporary files go; no link is followed, and files of the
store are not touched.
"""

from __future__ import annotations

import os
import stat

from twiceshy.files.replace import DRAFT
from twiceshy.project.episodes.refine import TRANSCRIPTS
from twiceshy.store.store_file import UNBORN

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.retention import Retention

_RESCUED = "rescued"
_REPORT = "bug-report-"


def sweep_files(home: str, now: int, rules: Retention, *, plan: bool = False) -> tuple[str, ...]:
    """Remove expired files, or list them; return paths inside the home."""
    state, archive = rules.state_since(now), rules.archive_since(now)
    evidence = rules.evidence_since(now)
    over = [
        *_list_home_files(home, reports=archive, drafts=state),
        *_is_old(os.path.join(home, "guard"), state),  # what sessions were told once
        *_is_old(os.path.join(home, "keeper"), archive),  # counters of projects
        *_is_old(os.path.join(home, TRANSCRIPTS), archive),
        # a session that starts writes them anew; until then its calls are looked up in the store
        *_is_old(os.path.join(home, "watch"), evidence),
        *_rescued_stores(os.path.join(home, _RESCUED), evidence),
    ]
    if not plan:
        over = [path for path in over if _remove_file(path)]
        _remove_empty_folders(os.path.join(home, _RESCUED))
    return tuple(os.path.relpath(path, home) for path in sorted(over))


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
