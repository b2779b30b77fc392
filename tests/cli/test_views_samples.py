"""A file of an older system that becomes a view is imported, and stays byte for byte as it was."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.interop.formats.test_samples import SAMPLES, TABLE
from tests.requirements import requirement

from twiceshy.app import App, open_app
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import Note
from twiceshy.interop.checkpoints import list_checkpoints
from twiceshy.interop.formats import FileContext, ParsedItem
from twiceshy.interop.formats.registry import FORMATS, load_format
from twiceshy.interop.views import contents
from twiceshy.interop.views.files import FileLocation
from twiceshy.interop.views.folders import ViewTarget
from twiceshy.interop.views.refresh import refresh_view

pytestmark = pytest.mark.usefixtures("older_layouts")

NOTES = {
    *("fireworks_knowledge", "keeper_facts", "keeper_page", "engine_spoke", "engine_todo"),
    *("engine_notebook", "engine_learned"),
}
EPISODES = {"engine_session", "engine_handoff"}
SESSION, CHECKPOINTS = "keeper_session", "fireworks_checkpoints"
VIEWED = NOTES | EPISODES | {SESSION, CHECKPOINTS}
MADE = {"keeper_log", "keeper_archive", "engine_hub", "engine_diary", "engine_reflect"}
# Of these there is no view: what tools printed, a log, a day's record, instructions and other people's pages.
NONE = {
    *("fireworks_log", "fireworks_seeds", "fireworks_stats", "engine_pitfall"),
    *("instructions", "markdown", "markdown_list"),
}
FILES = {path: form for path, form, _ in TABLE if form in VIEWED}


def everything(app: App) -> Sequence[Note]:
    return app.store.notes(NoteFilter(), limit=1_000)  # a rule that is imported is on probation


def imported_episode(app: App, text: str, form: str, about: FileContext) -> str:
    """Keep the episode that a file tells, as an import does; return its id, or nothing."""
    pieces = load_format(form).parse_text(text, about)
    for piece in pieces:
        if isinstance(piece, ParsedItem) and piece.episode:
            app.store.capture(piece.episode)
            return piece.episode.id
    return ""


def place_of(app: App, file: Path, form: str) -> ViewTarget:
    project = app.current_project().id
    skill = "release" if form.startswith("fireworks") else ""
    about = FileContext(project, skill, name=file.name)
    stretch = imported_episode(app, file.read_text(), form, about)
    which: Callable[[App], Sequence[Any]]
    if form == SESSION:
        which = partial(
            contents.gather_session, name=stretch, projects=[project], called=file.stem
        )
    elif form == CHECKPOINTS:
        which = partial(list_checkpoints, skill="release")
    else:
        which = partial(contents.gather_episode, name=stretch) if form in EPISODES else everything
    place = ViewTarget(file.name, FileLocation(str(file), str(file.parent)), form, about, which)
    return place.but(made="episode" if form in EPISODES else "", stretch=stretch)


def test_every_format_of_older_systems_is_a_view_or_has_a_reason_for_being_none() -> None:
    older = {name for name in FORMATS if not name.startswith("vault_")}
    assert older == VIEWED | MADE | NONE
    assert {row[1] for row in TABLE} >= VIEWED | MADE


@requirement("A04")
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("windows", [False, True])
def test_a_sample_is_imported_and_stays_as_it_was(
    name: str, windows: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "views" / Path(name).name
    file.parent.mkdir()
    written = (SAMPLES / name).read_bytes()
    if windows:
        written = written.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    file.write_bytes(written)
    with open_app() as app:
        place = place_of(app, file, FILES[name])

        first = refresh_view(app, place)
        kept = place.gather_content(app)
        again = refresh_view(app, place)

        assert first.taken.refused == ()
        assert first.new == first.old
        assert first.became == again.became == "unchanged"
        assert len(first.taken.added) == len(kept) - bool(place.stretch)
        assert not again.taken
    assert file.read_bytes() == written
    assert kept or "EMPTY" in name
