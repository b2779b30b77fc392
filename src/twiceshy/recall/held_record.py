"""Take in the records that ended hooks left behind.

A hook holds the record of its event on disk while it works. What is still there when the hook has
ended is stored by the next background job.
"""

from __future__ import annotations

import os

from twiceshy.core.jsontext import parse_object
from twiceshy.core.session import Session
from twiceshy.files import open_own
from twiceshy.recall.capture import HELD, HELD_CWD, release_record
from twiceshy.recall.hook_log import log_ended

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App

_WORKING_S = 15  # a hook that began so long ago has ended, one way or another
_MOST = 1_000  # files taken in at a time
_LARGEST = 1 << 20


def list_held(store: str, *, older_than_s: float = 0.0) -> list[str]:
    """Return the files of held records that no hook is working on, oldest first."""
    import time

    folder, until = os.path.join(os.path.dirname(store), HELD), time.time() - older_than_s
    try:
        with os.scandir(folder) as found:
            plain = [one for one in found if one.is_file(follow_symlinks=False)]
            files = [(one.stat().st_mtime, one.path) for one in plain]
    except FileNotFoundError:
        return []
    return [path for at, path in sorted(files) if at <= until]


def recover_records(app: App, *, older_than_s: float = _WORKING_S) -> None:
    """Pass the records that ended hooks left behind to the spool, and store them."""
    from twiceshy.store import spool

    waiting = os.path.join(os.path.dirname(app.config.store), spool.NAME)
    paths = list_held(app.config.store, older_than_s=older_than_s)[:_MOST]
    for path in paths:
        if fields := _read_fields(path):
            spool.append_record(waiting, _with_project(app, fields))
            log_ended(app.config.home, str(fields.get("as", "?")), at=app.store.now())
        release_record(path)
    if paths:
        app.store.capture()  # every change takes the spool in


def _read_fields(path: str) -> dict[str, object]:
    """Return the record of a file; empty if a crash cut the file short."""
    try:
        with open(path, "rb", opener=open_own) as file:
            return dict(parse_object(file.read(_LARGEST).decode("utf-8", "replace")))
    except (OSError, ValueError, RecursionError):
        return {}


def _with_project(app: App, fields: dict[str, object]) -> dict[str, object]:
    """Return the fields with the project of the session, or of its folder."""
    from twiceshy.app import identify_project

    cwd = str(fields.pop(HELD_CWD, ""))
    if fields.get("project") == "":
        here = app.store.session(str(fields.get("session"))) or identify_project(cwd, app)
        fields["project"] = here.project if isinstance(here, Session) else here.id
        if "root" in fields:
            fields["root"] = here.root
    return fields
