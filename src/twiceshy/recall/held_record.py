"""Take in the records that ended hooks left behind.

A hook holds the record of its event on disk while it works. What is still there when the hook has
ended is stored by the next background job.
"""

from __future__ import annotations

import os

from twiceshy.core.jsontext import parse_object
from twiceshy.core.session import PromptCount, Session
from twiceshy.files import open_plain
from twiceshy.recall.capture import HELD, HELD_CWD, release_record

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.app import App
    from twiceshy.core.store import Observed

_WORKING_S = 15  # a hook that began so long ago has ended, one way or another
_MOST = 1_000  # files taken in at a time
_LARGEST = 1 << 20


def list_held(store: str, *, older_than_s: float = 0.0) -> list[str]:
    """Return the files of held records that no hook is working on, oldest first."""
    import time

    folder, until = os.path.join(os.path.dirname(store), HELD), time.time() - older_than_s
    try:
        with os.scandir(folder) as found:
            files = [(one.stat(follow_symlinks=False).st_mtime, one.path) for one in found]
    except FileNotFoundError:
        return []
    return [path for at, path in sorted(files) if at <= until]


def recover_records(app: App, *, older_than_s: float = _WORKING_S) -> int:
    """Store the records that ended hooks left behind; return how many."""
    paths = list_held(app.config.store, older_than_s=older_than_s)[:_MOST]
    records = [(path, record) for path in paths for record in _read_record(app, path)]
    if records:
        app.store.capture(*(record for _, record in records))
    for path in paths:
        release_record(path)
    return len(records)


def _read_record(app: App, path: str) -> Iterator[Observed]:
    """Yield the record of a file with its project; nothing if a crash cut the file short."""
    from twiceshy.store.evidence import parse_spool_line

    try:
        with open(path, "rb", opener=open_plain) as file:
            fields = dict(parse_object(file.read(_LARGEST).decode("utf-8", "replace")))
    except (OSError, ValueError, RecursionError):
        return
    cwd = str(fields.pop(HELD_CWD, ""))
    record = parse_spool_line(fields)
    if record is not None:
        yield _with_project(app, record, cwd)


def _with_project(app: App, record: Observed, cwd: str) -> Observed:
    from twiceshy.app import identify_project

    here = app.store.session(record.session) or identify_project(cwd, app.config)
    more = {"root": here.root} if isinstance(record, PromptCount) else {}
    return record.but(project=here.project if isinstance(here, Session) else here.id, **more)
