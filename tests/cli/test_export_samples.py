"""What the samples say is imported, leaves in the layout that it came in, and comes back the same."""

import os
import re
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Command
from tests.interop.formats.test_samples import SAMPLES, TABLE
from tests.requirements import requirement

from twiceshy.app import open_app
from twiceshy.places.identity import claude_slug

# ids of notes and episodes, and today
OWN = re.compile(
    r"\s*<!-- n\w+ -->|\"note\": \"n\w+\"|-[0-9a-f]{4}(?=-(session|compact|check))|updated: [\d-]+"
)
# what each layout holds of a note: files and concepts have no place in fireworks' and memory-engine's
HELD = {
    "fireworks": ("kind", "text", "why", "tag", "sightings", "skill"),
    "keeper": ("kind", "subtype", "text", "why", "files", "concepts", "state"),
    "engine": ("kind", "text", "why", "state"),
}
KINDS = {
    "fireworks": ("lesson",),
    "keeper": ("decision", "pattern", "issue"),
    "engine": ("lesson", "rule", "task"),
}
SOURCES = {"fireworks": "fireworks", "keeper": "memory-keeper", "engine": "memory-engine"}
# Samples that the importers leave out: a pack is for `install`, and instructions are not memory's.
APART = ("fireworks/pack", "fireworks/skill-usage-stats", "instructions", "plain")


def put_samples(user: Path, project: Path) -> None:
    """Lay every sample where its system has it."""
    claude = user / ".claude"
    for path, _, _ in TABLE:
        system, _, rest = path.partition("/")
        roots = {"fireworks": user / ".ai-memory", "engine": claude, "keeper": project}
        if rest.startswith(("legacy/", "error-seeds/")):
            roots["fireworks"] = claude
            rest = rest.removeprefix("legacy/")
        rest = rest.replace("-home-kim-shop", claude_slug(str(project)))
        if not path.startswith(APART):
            (roots[system] / rest).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SAMPLES / path, roots[system] / rest)


@pytest.fixture
def fresh_machine(home: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Path]:
    """Go to a machine that has nothing but the project; return its user's home."""
    number = 0

    def go() -> Path:
        nonlocal number
        number += 1
        user = home.parent / f"user-{number}"
        user.mkdir()
        monkeypatch.setenv("HOME", str(user))
        monkeypatch.setenv("TWICESHY_HOME", str(home.parent / f"home-{number}"))
        return user

    return go


def notes(twiceshy: Command, form: str) -> set[tuple[object, ...]]:
    """Return what a layout can hold of all notes that it has a place for."""
    words = [word for kind in KINDS[form] for word in ("--kind", kind)]
    found: list[dict[str, Any]] = twiceshy(
        "list", "--all", "--status", "any", *words, "--json"
    ).json
    return {tuple(_plain(note[name]) for name in HELD[form]) for note in found}


def _plain(value: object) -> object:
    if isinstance(value, list):
        return tuple(value)
    # a line of theirs has no breaks
    return " ".join(value.split()) if isinstance(value, str) else value


def lines(folder: Path) -> Counter[str]:
    """Return what a layout says, without the names and the order that notes have on one machine only."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    told = (OWN.sub("", path.read_text()).splitlines() for path in files)
    return Counter(line for some in told for line in some)


def know(project: Path) -> None:
    """Let the project be known, as if somebody had worked there."""
    with open_app() as app:
        app.store.record_project(app.current_project().id, name="shop", root=str(project))


@requirement("A04")
@pytest.mark.parametrize("form", HELD)
def test_the_samples_leave_as_they_came_and_come_back_the_same(
    form: str,
    twiceshy: Command,
    project: Path,
    tmp_path: Path,
    fresh_machine: Callable[[], Path],
) -> None:
    put_samples(Path(os.environ["HOME"]), project)
    know(project)
    twiceshy("import", SOURCES[form])
    came = notes(twiceshy, form)
    twiceshy("export", "--as", form, str(tmp_path / "first"))
    shutil.rmtree(project / ".claude", ignore_errors=True)

    user = fresh_machine()
    places = {
        "fireworks": (tmp_path / "first", user / ".ai-memory"),
        "engine": (tmp_path / "first", user / ".claude"),
        "keeper": (tmp_path / "first" / "shop" / ".claude", project / ".claude"),
    }
    shutil.copytree(*places[form], dirs_exist_ok=True)
    if form == "fireworks":  # a part of its files lay beside Claude Code
        shutil.move(user / ".ai-memory/.claude", user / ".claude")
    know(project)
    again = twiceshy("import", SOURCES[form])
    twiceshy("export", "--as", form, str(tmp_path / "second"))

    assert len(came) > 3
    assert notes(twiceshy, form) == came, again.err
    assert lines(tmp_path / "second") == lines(tmp_path / "first")
