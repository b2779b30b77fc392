"""Starter notes: a few lessons for skills that have none yet. On request only, and never over anything."""

from __future__ import annotations

import os
import tomllib

from twiceshy import __version__
from twiceshy.core.admit import Admitted
from twiceshy.core.draft import Draft
from twiceshy.core.filter import Filter
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.notes.write import write
from twiceshy.runtimes.installers import package_folder

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from twiceshy.app import App
    from twiceshy.core.note import Note

TAG = "starter"


def count_starter_notes(app: App | None) -> dict[str, int]:
    """Count the starter notes of each skill that has none yet; ``app`` is None without a store."""
    return {skill: len(drafts) for skill, drafts in (_wanted(app) if app else _shipped()).items()}


def add_starter_notes(app: App) -> list[Note]:
    """Write the notes of every skill that has none, in one change that one ``undo`` takes back."""
    with app.store.change():
        outcomes = [write(app, draft) for drafts in _wanted(app).values() for draft in drafts]
    return [outcome.note for outcome in outcomes if isinstance(outcome, Admitted)]


def _wanted(app: App) -> dict[str, list[Draft]]:
    """Leave out the skills for which anything was ever noted, even if it is retired by now."""
    return {
        skill: drafts
        for skill, drafts in _shipped().items()
        if not app.store.count(Filter(skill=skill, lives=()))
    }


def _shipped() -> dict[str, list[Draft]]:
    folder = os.path.join(package_folder(), TAG)
    names = sorted(name for name in os.listdir(folder) if name.endswith(".toml"))
    return {name.removesuffix(".toml"): list(_drafts(folder, name)) for name in names}


def _drafts(folder: str, name: str) -> Iterator[Draft]:
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
