"""Erase notes, episodes and exact strings from everything that this machine keeps, and say what is left.

The store erases in its tables and in files. Around that stand what only other rooms know: views, which
take in hand edits before and are written anew behind it, the clone of the remote, and second copies.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from twiceshy.core.erasure import ErasureReport
from twiceshy.core.errors import BusyError, StoreError, TwiceshyError
from twiceshy.project.episodes.refine import locate_refined_copy
from twiceshy.recall.hook_log import locate_fallback
from twiceshy.sync.clone import discard_clone, has_remote
from twiceshy.sync.copies import has_copies, write_copy
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twiceshy.app import App
    from twiceshy.core.evidence import Episode
    from twiceshy.core.note import Note

    Refresh = Callable[[App], Sequence[str] | None]

_PATIENCE_S = 20.0
SHORTEST = 4  # characters of an exact string; a shorter one is in everything


def keep_views(app: App) -> None:
    """Leave views to a caller that has none."""


def erase_strings(
    app: App,
    strings: Sequence[str],
    *,
    plan: bool = False,
    take_in: Refresh = keep_views,
    refresh: Refresh = keep_views,
    tell: Callable[[str], object] = lambda _: None,
) -> ErasureReport:
    """Replace exact strings wherever they stand; see ``erase_objects``."""
    return erase_objects(app, (), strings, plan=plan, take_in=take_in, refresh=refresh, tell=tell)


def erase_objects(
    app: App,
    gone: Sequence[Note | Episode],
    strings: Sequence[str] = (),
    *,
    plan: bool = False,
    take_in: Refresh = keep_views,
    refresh: Refresh = keep_views,
    tell: Callable[[str], object] = lambda _: None,
) -> ErasureReport:
    """Erase notes, episodes and strings with what quotes them; ``tell`` is told each step.

    ``take_in`` applies hand edits of views before, ``refresh`` writes views anew behind it and returns files
    that it could not write; both are of ``interop``, which this room does not know. A process that is killed leaves
    a file with what is still to do, and the next command goes on.
    """
    for text in strings:
        if len(text.strip()) < SHORTEST:
            raise StoreError(
                worded("{text!r} is too short to be erased everywhere", text=text),
                hint=worded("give at least {count} characters", count=SHORTEST),
            )
    if plan:
        return app.store.forget(*gone, strings=strings, plan=True).but(
            unreached=list_unreached(app, strings)
        )
    had_copies = has_copies(app)
    kept = _remove_refined_copies(app, gone)
    tell(worded("taking in edits of views …"))
    with suppress(TwiceshyError, OSError):  # what they show is told below
        take_in(app)
    left = _discard_clone(app)
    app.store.logs = tuple(dict.fromkeys((*app.store.logs, locate_fallback(app.config.home))))
    tell(worded("erasing from the store and its files …"))
    with app.learning_lock(patience=_PATIENCE_S) as free:
        app.store.is_learning = not free  # it may write once more what it has read
        done = app.store.forget(*gone, strings=strings)
    tell(worded("writing views …"))
    done = done.combine_with(ErasureReport(left=(*left, *kept, *_refresh_views(app, refresh))))
    if had_copies:
        with suppress(TwiceshyError):  # it is erased; the next session's process writes one
            write_copy(app)
    return done.but(unreached=list_unreached(app, strings))


def _remove_refined_copies(app: App, gone: Sequence[Note | Episode]) -> list[str]:
    """Delete the copies of these sessions' transcripts; return those that could not be deleted."""
    left = []
    for one in gone:
        path = locate_refined_copy(app.config.home, one.id)
        try:
            os.remove(path)
        except FileNotFoundError:
            continue
        except OSError:
            left.append(path)
    return left


def list_unreached(app: App, strings: Sequence[str], *, purged: bool = False) -> tuple[str, ...]:
    """Return what no erasure here can reach, with what to do about it."""
    said = []
    if has_remote(app):
        if not purged:
            said.append(
                worded(
                    "older commits of your remote hold it until you run: twiceshy backup --purge"
                )
            )
        said.append(
            worded(
                "a git server may keep unreachable objects for a while after that; only its owner can delete them"
            )
        )
        said.append(
            worded("your other devices keep an erased text: run the same command there")
            if strings
            else worded(
                "your other devices ask at their next sync, and erase it when you agree there"
            )
        )
    said.append(
        worded(
            "exports and bundles that you wrote elsewhere are not known here: delete those that hold it"
        )
    )
    said.append(
        worded(
            "the transcripts of your coding agents belong to them: delete the session there if they hold it"
        )
    )
    return tuple(said)


def _refresh_views(app: App, refresh: Refresh) -> list[str]:
    try:
        return list(refresh(app) or ())
    except (OSError, TwiceshyError):
        return [os.path.join(app.config.home, "views")]


def _discard_clone(app: App) -> list[str]:
    """Discard the clone of the remote, which holds the history; return its path if it is in use."""
    try:
        discard_clone(app)
    except (BusyError, OSError):
        return [os.path.join(app.config.home, "sync", "repository")]
    return []
