"""Import into a real store, from a home and a project that the test fills."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from tests.store.support import Clock, a_store, app_of

from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import Note
from twiceshy.interop.imports import ImportContext, ImportPlace, ImportSource
from twiceshy.interop.imports.import_run import ImportReport, import_places
from twiceshy.places import project as projects
from twiceshy.places.identity import Identity
from twiceshy.safety.redact import redact
from twiceshy.store.command_store import WholeStore

Imported = Callable[..., ImportReport]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(home: Path, clock: Clock) -> Iterator[WholeStore]:
    opened = a_store(home, clock=clock)
    yield opened
    opened.close()


@pytest.fixture
def user(home: Path) -> Path:
    """The user's home directory."""
    return Path(os.environ["HOME"])


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The folder that we work in."""
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@pytest.fixture
def around(user: Path, project: Path) -> ImportContext:
    """Look around from the project; no variable is set, and no other project is known."""

    def identify(path: str) -> Identity:
        return projects.identify_project(path, cache=None, home=str(user))

    return ImportContext(
        home=str(user),
        here=identify(str(project)),
        environ={},
        identify=identify,
        by_slug=lambda _: None,
        redact=redact,
    )


@pytest.fixture
def imported(store: WholeStore, around: ImportContext) -> Imported:
    """Import all that a source finds, or finds at a path; ``around`` and settings can be others."""

    def call(
        source: ImportSource,
        path: Path | None = None,
        *,
        plan: bool = False,
        places: Sequence[ImportPlace] | None = None,
        around: ImportContext = around,
        **settings: float,
    ) -> ImportReport:
        where = around.but(given=str(path)) if path else around
        there = source.find_places(where) if places is None else places
        return import_places(app_of(store, **settings), source, there, where, plan=plan)

    return call


def all_notes(store: WholeStore) -> list[Note]:
    """Return every note, shown or not, by its text."""
    return sorted(store.notes(NoteFilter(statuses=()), limit=10_000), key=lambda note: note.text)


def put(path: Path, text: str) -> Path:
    """Write a file and the folders that it lies in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
    return path
