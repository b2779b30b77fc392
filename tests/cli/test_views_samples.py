"""A file of an older system that becomes a view is imported, and stays byte for byte as it was."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.requirements import requirement

from twiceshy.app import App, opened
from twiceshy.core.filter import Filter
from twiceshy.core.formats import About
from twiceshy.core.note import Note
from twiceshy.exchange.viewing import Spot
from twiceshy.serving.view_places import Place
from twiceshy.serving.view_things import checkpoints
from twiceshy.serving.views import refresh

SAMPLES = Path(__file__).parent.parent / "samples"
FILES = {
    "fireworks/skills/release/KNOWLEDGE.md": "fireworks_knowledge",
    "fireworks/global/KNOWLEDGE.md": "fireworks_knowledge",
    "fireworks/legacy/skills-knowledge.md": "fireworks_knowledge",
    "fireworks/pack/KNOWLEDGE.md": "fireworks_knowledge",
    "fireworks/pack/EMPTY-KNOWLEDGE.md": "fireworks_knowledge",
    "fireworks/skills/release/CHECKPOINTS.md": "fireworks_checkpoints",
    "keeper/.claude/memory/facts.json": "keeper_facts",
    "keeper/.claude/memory/project.md": "keeper_page",
    "keeper/.claude/memory/architecture.md": "keeper_page",
    "keeper/.claude/memory/conventions.md": "keeper_page",
    "engine/projects/-home-kim-shop/memory/mail-templates.md": "engine_spoke",
    "engine/projects/-home-kim-shop/memory/todo-status.md": "engine_todo",
    "engine/skills/learned/writing-review-list.md": "engine_notebook",
    "engine/skills/learned/time-zones.md": "engine_learned",
    "engine/skills/learned/printer-margins.md": "engine_learned",
}


def everything(app: App) -> Sequence[Note]:
    return app.store.notes(Filter(), limit=1_000)  # a rule that is imported is on probation


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
    with opened() as app:
        signals = FILES[name] == "fireworks_checkpoints"
        place = Place(
            name,
            Spot(str(file), str(file.parent)),
            FILES[name],
            About(
                app.here().id, "release" if "KNOWLEDGE" in name or signals else "", name=file.name
            ),
            checkpoints("release") if signals else everything,
        )

        first = refresh(app, place)
        kept = len(place.things(app))
        again = refresh(app, place)

        assert first.taken.refused == ()
        assert first.new == first.old
        assert first.became == again.became == "unchanged"
        assert len(first.taken.added) == kept
        assert not again.taken
    assert file.read_bytes() == written
    assert kept or "EMPTY" in name
