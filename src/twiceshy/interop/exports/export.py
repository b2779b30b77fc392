"""Export for another memory: gather, redact again, write the layout into a new folder.

The folder is written completely or not at all.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from importlib import import_module

from twiceshy.core.errors import BundleError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import SHOWN
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.value import Value
from twiceshy.files.replace import write_new_file
from twiceshy.interop.exports import ExportedContent, make_distinct
from twiceshy.notes.vouch import answer_as_agent
from twiceshy.places.identity import Identity
from twiceshy.project.handoff.rules import exposure_key
from twiceshy.project.identity import list_projects
from twiceshy.sync.records import redact_record

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeVar

    from twiceshy.app import App
    from twiceshy.core.evidence import Episode, Signal
    from twiceshy.core.note import Note
    from twiceshy.interop.exports import ExportedFile

    T = TypeVar("T", Note, Episode, Signal)

_EPISODES = ("note", "checkpoint", "compact", "end", "archive", "handoff", "diary", "reflect")
_DATABASE = "context.db"
_ALL = 1_000_000


class ExportReport(Value):
    """Export report: files, notes, and notes without a place by kind."""

    files: int
    notes: int
    left_out: Mapping[str, int]


def export_layout(
    app: App, form: str, folder: str, *, project: str | None = None, skill: str | None = None
) -> ExportReport:
    """Export everything shown, or a project or skill, in a layout."""
    held = _gather_content(app, project, skill)
    files, told = 0, set[str]()

    def fill(draft: str) -> None:
        nonlocal files
        if form == "magic-context":
            magic_context = import_module("twiceshy.interop.exports.magic_context")
            rows, made = magic_context.render_rows(held)
            magic_context.write_table(os.path.join(draft, _DATABASE), rows)
            files = 1
        else:
            layout = import_module(f"twiceshy.interop.exports.{form}")
            written = list(make_distinct(layout.render_files(held)))
            for file in written:
                _write_file(draft, file)
            files = len(written)
            made = tuple(note for file in written for note in file.notes)
        told.update(made)

    _fill_new_folder(folder, fill)
    left_out = Counter(note.kind for note in held.notes if note.id not in told)
    return ExportReport(files, len(told), dict(sorted(left_out.items())))


def _fill_new_folder(folder: str, fill: Callable[[str], None]) -> None:
    """Fill a private folder, then move it to ``folder``, absent or empty before."""
    target = os.path.abspath(folder)
    _refuse_occupied(target, shown=folder)
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        draft = tempfile.mkdtemp(prefix=".twiceshy-", dir=os.path.dirname(target))  # owner-only
        try:
            fill(draft)
            if os.path.isdir(target):
                os.rmdir(target)  # fails unless it is still empty
            os.rename(draft, target)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
    except OSError as error:
        raise BundleError(
            f"cannot write {folder}: {error.strerror}", hint="choose another place"
        ) from error


def _write_file(folder: str, file: ExportedFile) -> None:
    path = os.path.join(folder, *file.path.split("/"))
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    write_new_file(path, file.text.encode())


def _refuse_occupied(target: str, *, shown: str) -> None:
    """Refuse an occupied place: live folders of other programs stay untouched."""
    if os.path.islink(target) or (os.path.lexists(target) and not os.path.isdir(target)):
        raise BundleError(f"{shown} is no folder", hint="name a folder that is not there yet")
    if os.path.isdir(target) and os.listdir(target):
        raise BundleError(
            f"{shown} is not empty",
            hint="name a folder that is not there yet, and copy from it what you want",
        )


def _gather_content(app: App, project: str | None, skill: str | None) -> ExportedContent:
    """Gather what agents of another system may be told."""
    with answer_as_agent(app):
        return _gather_told(app, project, skill)


def _gather_told(app: App, project: str | None, skill: str | None) -> ExportedContent:
    store = app.store
    known = list_projects(app)
    same = {other: one.id for one in known for other in (one.id, *one.aliases)}
    ids = None if project is None else (*store.list_project_ids(project), EVERYWHERE)
    notes = store.notes(NoteFilter(projects=ids, skill=skill, statuses=SHOWN), limit=_ALL)
    episodes = [
        one.but(project=same.get(one.project, one.project))  # by whichever of its names
        for one in store.list_episodes(kinds=_EPISODES if skill is None else (), limit=None)
        if ids is None or one.project in ids
    ]
    remarks = store.list_signals(EVERYWHERE, "checkpoint", limit=_ALL)
    remarks = [one for one in remarks if skill in (None, one.skill)]
    handoffs = store.list_episodes(kinds=("handoff",), limit=None)
    return ExportedContent(
        notes=[_redact_records(app, _exported_projects(note, same)) for note in notes],
        episodes=[_redact_records(app, one) for one in episodes],
        checkpoints=[_redact_records(app, one) for one in reversed(remarks)],
        usage=[one for one in store.count_skill_usage() if skill in (None, one.skill)],
        places={one.id: Identity(one.id, one.name, one.root) for one in known},
        shown=frozenset(one.id for one in handoffs if store.list_exposures(key=exposure_key(one))),
        now=store.now(),
    )


def _exported_projects(note: Note, same: Mapping[str, str]) -> Note:
    project = note.scope.project
    return note.but(scope=note.scope.but(project=same.get(project, project)))


def _redact_records(app: App, record: T) -> T:
    return redact_record(record, app.redact)  # type: ignore[arg-type, return-value]  # an episode has texts like others
