"""Finish an erasure in files: views, logs, spool and caches, backups, copies and the write-ahead file."""

from __future__ import annotations

import os

from twiceshy.core.erasure import ErasureReport
from twiceshy.core.errors import StoreError
from twiceshy.language.quoted_words import QuoteFinder
from twiceshy.store import erase
from twiceshy.store.driver import sqlite3
from twiceshy.store.sweep_files import (
    clean_view,
    list_view_files,
    sweep_home,
    sweep_log,
    sweep_view,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.store.pending_erasure import PendingErasure


def finish_erasure(db: sqlite3.Connection, path: str, pending: PendingErasure) -> ErasureReport:
    """Sweep every file, then leave no free page; what fails is reported as left."""
    finder = QuoteFinder(pending.words)
    done = ErasureReport()
    try:
        done = _sweep_files(db, path, pending, finder)
        if pending.words.needles or pending.words.exact:
            _clean_view_bodies(db, finder)
        return done.combine_with(erase.scrub_copies(db, path, pending))
    except (OSError, StoreError, sqlite3.Error) as error:
        where = getattr(error, "filename", "") or path
        return done.combine_with(ErasureReport(left=(str(where),)))


def count_files(db: sqlite3.Connection, path: str, pending: PendingErasure) -> ErasureReport:
    """Count what an erasure would sweep in files, and change nothing."""
    found = _sweep_files(db, path, pending, QuoteFinder(pending.words), plan=True)
    return found.combine_with(ErasureReport(erase.count_beside(path)))


def _sweep_files(
    db: sqlite3.Connection,
    path: str,
    pending: PendingErasure,
    finder: QuoteFinder,
    *,
    plan: bool = False,
) -> ErasureReport:
    folder = os.path.dirname(path)
    rows = db.execute("SELECT path, body FROM views ORDER BY path").fetchall()
    views = list_view_files(rows)
    done = ErasureReport()
    for file, ours in views.items():
        done = done.combine_with(sweep_view(file, ours, finder, home=folder, plan=plan))
    for home in dict.fromkeys((folder, *pending.homes)):
        if os.path.isdir(home):
            done = done.combine_with(sweep_home(home, finder, store=path, views=views, plan=plan))
    for log in pending.logs:
        done = done.combine_with(sweep_log(log, finder, plan=plan))
    return done


def _clean_view_bodies(db: sqlite3.Connection, finder: QuoteFinder) -> None:
    """Clean what we remember of views as the files themselves were cleaned."""
    rows = db.execute("SELECT path, body FROM views").fetchall()
    changed = [(clean_view(body, body, finder), path) for path, body in rows if finder.holds(body)]
    if changed:
        db.executemany("UPDATE views SET body = ? WHERE path = ?", changed)
