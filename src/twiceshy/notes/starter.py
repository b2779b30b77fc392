"""Starter notes for skills without notes; on request only."""

import os
import tomllib
from collections.abc import Iterator, Mapping

from twiceshy import __version__
from twiceshy.app import App
from twiceshy.core.admit import Admitted
from twiceshy.core.draft import Draft
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import Note
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.notes.write import write_draft
from twiceshy.runtimes.installers import find_package_folder

TAG = "starter"


def count_starter_notes(app: App | None) -> dict[str, int]:
    """Count the starter notes per skill without notes; ``app`` is None without a store."""
    found = _notes_to_add(app) if app else _read_shipped()
    return {skill: len(drafts) for skill, drafts in found.items()}


def add_starter_notes(app: App) -> list[Note]:
    """Write starter notes of skills without notes, as one undoable change."""
    with app.store.change():
        drafts = [draft for some in _notes_to_add(app).values() for draft in some]
        outcomes = [write_draft(app, draft) for draft in drafts]
    return [outcome.note for outcome in outcomes if isinstance(outcome, Admitted)]


def _notes_to_add(app: App) -> dict[str, list[Draft]]:
    """Drop skills with any note, even retired."""
    return {
        skill: drafts
        for skill, drafts in _read_shipped().items()
        if not app.store.count_notes(NoteFilter(skill=skill, statuses=()))
    }


def _read_shipped() -> dict[str, list[Draft]]:
    folder = os.path.join(find_package_folder(), TAG)
    names = sorted(name for name in os.listdir(folder) if name.endswith(".toml"))
    return {name.removesuffix(".toml"): list(_build_drafts(folder, name)) for name in names}


def _build_drafts(folder: str, name: str) -> Iterator[Draft]:
    with open(os.path.join(folder, name), "rb") as file:
        notes: list[Mapping[str, str]] = tomllib.load(file)["note"]
    for note in notes:
        yield Draft(
            kind="lesson",
            text=note["text"],
            scope=Scope(EVERYWHERE, name.removesuffix(".toml")),
            source="import",
            subtype=note["type"],
            why=note["why"],
            tag=TAG,
            origin_session=f"starter notes of twiceshy {__version__}",
        )
