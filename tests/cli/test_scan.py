"""``scan`` finds what earlier rules let in, tells no secret, and erases it from every byte."""

import json
from pathlib import Path

import pytest
from tests.attacks.byte_search import find_places
from tests.person import run_by_person
from tests.requirements import requirement
from tests.store.support import opened

from twiceshy.app import App, load_settings
from twiceshy.core.draft import Draft
from twiceshy.core.evidence import Signal
from twiceshy.core.scope import Scope
from twiceshy.interop.views import files
from twiceshy.notes.write import write_draft
from twiceshy.store.command_store import WholeStore

TOKEN = "ghp_" + "a8Bc9dE0" * 5
SPOKEN = "DB_PASSWORD=swordfish"
OTHER = "Sign the tag before a push."


@pytest.fixture(autouse=True)
def whole_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is in the middle of writing a view here."""
    monkeypatch.setattr(files, "_SETTLED_S", 0)


def write_unredacted(home: Path, project: Path) -> None:
    """Write what a memory under earlier rules may hold: no gate is in the way."""
    run_by_person("note", OTHER, cwd=project, env={})
    with opened(home) as known:
        path, clock = known.path, known.now
    config = load_settings()
    store = WholeStore(path, clock=clock, gate=str)
    app = App(config, store, lambda text: text, str(project))  # type: ignore[arg-type]  # a gate that is open
    with app:
        here = app.current_project()
        with store.change():
            write_draft(
                app,
                Draft(
                    kind="lesson",
                    subtype="gotcha",
                    text=f"Push with {TOKEN} today.",
                    scope=Scope(here.id),
                    source="user",
                ),
            )
            store.capture(Signal("k1", "error", "s1", here.id, 1, tool="Bash", target=f"export {SPOKEN}", excerpt=f"bad {TOKEN}"))  # fmt: skip
    with (home / "hook.log").open("a") as log:
        log.write(f"2026-11-02T09:00:00Z claude-code Stop StoreError: {SPOKEN} was here\n")
    run_by_person("views", "write", cwd=project, env={})


@requirement("Y64")
def test_a_scan_names_place_and_format_and_no_secret(home: Path, tmp_path: Path) -> None:
    write_unredacted(home, tmp_path)

    told = run_by_person("scan", cwd=tmp_path, env={})
    facts = json.loads(run_by_person("scan", "--json", cwd=tmp_path, env={}).out)

    assert told.code == 1
    assert "github-token (ghp…)" in told.out + told.err
    assert TOKEN[3:] not in told.out + told.err
    assert "swordfish" not in told.out + told.err
    places = {(one["place"], one["format"]) for one in facts["findings"]}
    assert {("notes", "github-token"), ("payloads", "github-token"), ("signals", "assigned-secret"), ("hook.log", "assigned-secret")} <= places  # fmt: skip
    assert find_places(home, [TOKEN]), "a scan alone changes nothing"


@requirement("Y64")
def test_a_purge_leaves_no_byte_and_keeps_the_rest(home: Path, tmp_path: Path) -> None:
    write_unredacted(home, tmp_path)

    done = run_by_person("scan", "--purge", "--yes", cwd=tmp_path, env={})

    assert find_places(home, [TOKEN, TOKEN[6:20], "swordfish"]) == set()
    assert done.code == 0
    again = json.loads(run_by_person("scan", "--json", cwd=tmp_path, env={}).out)
    assert again["findings"] == []
    listed = run_by_person("list", cwd=tmp_path, env={}).out
    assert OTHER in listed
    assert "Push with" in listed


@requirement("Y64")
def test_a_memory_without_secrets_is_clean(home: Path, tmp_path: Path) -> None:
    run_by_person("note", OTHER, cwd=tmp_path, env={})

    done = run_by_person("scan", "--purge", "--yes", cwd=tmp_path, env={})

    assert done.code == 0
    assert "no secrets found" in done.out + done.err
