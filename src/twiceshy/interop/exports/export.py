"""Export for another memory: gather, redact again, write the layout."""

from __future__ import annotations

import os
from importlib import import_module

from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import SHOWN
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.value import Value
from twiceshy.interop.exports import ExportedContent, ExportedProject, make_distinct
from twiceshy.interop.exports import folder as exporting
from twiceshy.interop.exports import magic_context_table as magic_context
from twiceshy.project.handoff.rules import exposure_key
from twiceshy.project.identity import list_projects
from twiceshy.sync.records import redact_record

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeVar

    from twiceshy.app import App
    from twiceshy.core.evidence import Episode, Signal
    from twiceshy.core.note import Note

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
            rows, kept = import_module("twiceshy.interop.exports.magic_context").render_rows(held)
            magic_context.write_table(os.path.join(draft, _DATABASE), rows)
            files, made = 1, kept
        else:
            layout = import_module(f"twiceshy.interop.exports.{form}")
            written = list(make_distinct(layout.render_files(held)))
            exporting.write_files(draft, written)
            files = len(written)
            made = tuple(note for file in written for note in file.notes)
        told.update(made)

    exporting.fill_new_folder(folder, fill)
    return ExportReport(files, len(told), _count_left_out(held.notes, told))


def _gather_content(app: App, project: str | None, skill: str | None) -> ExportedContent:
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
    checkpoints = store.list_signals(EVERYWHERE, "checkpoint", limit=_ALL)
    return ExportedContent(
        notes=[_redact_records(app, _exported_projects(note, same)) for note in notes],
        episodes=[_redact_records(app, one) for one in episodes],
        checkpoints=[
            _redact_records(app, one)
            for one in reversed(checkpoints)
            if skill in (None, one.skill)
        ],
        usage=[one for one in store.count_skill_usage() if skill in (None, one.skill)],
        places={one.id: ExportedProject(one.id, one.name, one.root) for one in known},
        shown=frozenset(
            one.id
            for one in store.list_episodes(kinds=("handoff",), limit=None)
            if store.list_exposures(key=exposure_key(one))
        ),
        now=store.now(),
    )


def _exported_projects(note: Note, same: Mapping[str, str]) -> Note:
    project = note.scope.project
    return note.but(scope=note.scope.but(project=same.get(project, project)))


def _redact_records(app: App, record: T) -> T:
    return redact_record(record, app.redact)  # type: ignore[arg-type, return-value]  # an episode has texts like others


def _count_left_out(notes: Sequence[Note], told: set[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for note in notes:
        if note.id not in told:
            found[note.kind] = found.get(note.kind, 0) + 1
    return dict(sorted(found.items()))
