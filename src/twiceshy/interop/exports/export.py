"""Export for another memory: gather, redact again, write the layout into a new folder.

The folder is written completely or not at all.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from importlib import import_module

from twiceshy.app import is_started_by_agent
from twiceshy.core.errors import BundleError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import SHOWN
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.value import Value
from twiceshy.files.replace import write_new_file
from twiceshy.interop.exports import ExportedContent, make_distinct
from twiceshy.interop.exports.give_back import render_with_originals
from twiceshy.interop.held_back import mark_episode, mark_text
from twiceshy.notes.vouch import answer_as
from twiceshy.places.identity import Identity
from twiceshy.project.handoff.rules import exposure_key
from twiceshy.project.identity import list_projects
from twiceshy.safety.gate import judge_note
from twiceshy.safety.gate_rules import ELSEWHERE
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
    held: int  # of the notes and texts: what agents here are not told, marked in the files
    kept_back: int  # what an agent asked for, and did not get
    refused: tuple[str, ...] = ()  # rows that could not be written, and why


def export_layout(
    app: App, form: str, folder: str, *, project: str | None = None, skill: str | None = None
) -> ExportReport:
    """Export everything shown, or a project or skill, in a layout."""
    known = () if project is None else app.store.list_project_ids(project)
    ids = (*known, EVERYWHERE) if known else None
    held = _gather_content(app, ids, skill)
    files, told, refused = 0, set[str](), list[str]()

    def fill(draft: str) -> None:
        nonlocal files
        if form == "magic-context":
            magic_context = import_module("twiceshy.interop.exports.magic_context")
            rows = magic_context.render_rows(app, held)
            made, refused[:] = magic_context.write_table(os.path.join(draft, _DATABASE), rows)
            files = 1
        else:
            layout = import_module(f"twiceshy.interop.exports.{form}").render_files
            written = list(
                make_distinct(layout(held))  # a part of a file is no file of theirs
                if skill
                else render_with_originals(app, form, held, layout, ids)
            )
            for file in written:
                _write_file(draft, file)
            files = len(written)
            made = {note for file in written for note in file.notes}
        told.update(made)

    _fill_new_folder(folder, fill)
    left_out = Counter(note.kind for note in held.notes if note.id not in told)
    return ExportReport(
        files,
        len(told),
        dict(sorted(left_out.items())),
        held.held,
        held.kept_back,
        tuple(map(app.redact, refused)),
    )


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


def _gather_content(app: App, ids: tuple[str, ...] | None, skill: str | None) -> ExportedContent:
    """Gather what agents of another system may be told, and for a person what is held back, marked."""
    with answer_as(app, agent=True):
        found = _gather_told(app, ids, skill)
    with answer_as(app, agent=False):
        return _add_held_back(app, found, ids, skill)


def _add_held_back(
    app: App, found: ExportedContent, ids: tuple[str, ...] | None, skill: str | None
) -> ExportedContent:
    """Add what agents here are not told, in its place and marked; for an agent, only count it."""
    same = _names_of_projects(app)
    which = NoteFilter(projects=ids, skill=skill, statuses=("quarantined",))
    waiting = app.store.notes(which, limit=_ALL)
    waiting += app.store.notes(which.but(statuses=SHOWN, held=True), limit=_ALL)
    notes = [_mark_note(_prepare_note(app, note, same)) for note in waiting]
    kinds = _EPISODES if skill is None else ()
    texts = {
        one.id: mark_episode(_prepare_episode(app, one, same))
        for one in app.store.list_episodes(ids, kinds=kinds, limit=None, held=True)
    }
    marked = frozenset((*(note.id for note in notes), *texts))
    if is_started_by_agent():
        return found.but(kept_back=len(notes) + len(texts), marked=marked)
    episodes = [*(one for one in found.episodes if one.id not in texts), *texts.values()]
    return found.but(
        notes=[*found.notes, *notes],
        episodes=sorted(episodes, key=lambda one: (-one.ended_at, one.id)),
        held=len(notes) + len(texts),
        marked=marked,
    )


def _gather_told(app: App, ids: tuple[str, ...] | None, skill: str | None) -> ExportedContent:
    store = app.store
    same = _names_of_projects(app)
    notes = store.notes(NoteFilter(projects=ids, skill=skill, statuses=SHOWN), limit=_ALL)
    episodes = store.list_episodes(ids, kinds=_EPISODES if skill is None else (), limit=None)
    remarks = store.list_signals(EVERYWHERE, "checkpoint", limit=_ALL)
    remarks = [one for one in remarks if skill in (None, one.skill)]
    handoffs = store.list_episodes(kinds=("handoff",), limit=None)
    return ExportedContent(
        notes=[_prepare_note(app, note, same) for note in notes],
        episodes=[_prepare_episode(app, one, same) for one in episodes],
        checkpoints=[_redact_records(app, one) for one in reversed(remarks)],
        usage=[one for one in store.count_skill_usage() if skill in (None, one.skill)],
        places={one.id: Identity(one.id, one.name, one.root) for one in list_projects(app)},
        shown=frozenset(one.id for one in handoffs if store.list_exposures(key=exposure_key(one))),
        now=store.now(),
    )


def _names_of_projects(app: App) -> dict[str, str]:
    """Return the id of each project by all of its names."""
    return {other: one.id for one in list_projects(app) for other in (one.id, *one.aliases)}


def _prepare_note(app: App, note: Note, same: Mapping[str, str]) -> Note:
    project = note.scope.project
    scope = note.scope.but(project=same.get(project, project))
    return _redact_records(app, note.but(scope=scope))


def _prepare_episode(app: App, episode: Episode, same: Mapping[str, str]) -> Episode:
    return _redact_records(app, episode.but(project=same.get(episode.project, episode.project)))


def _mark_note(note: Note) -> Note:
    reason = note.reason or judge_note(note, ELSEWHERE).reason
    return note.but(status="active", text=mark_text(note.text, reason))


def _redact_records(app: App, record: T) -> T:
    return redact_record(record, app.redact)  # type: ignore[arg-type, return-value]  # an episode has texts like others
