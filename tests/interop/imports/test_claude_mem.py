"""What claude-mem observed comes in: lessons and decisions as notes, what happened as episodes."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.interop.imports.conftest import Imported, all_notes
from tests.interop.imports.tables import a_table, episodes_of
from tests.store.support import app_of

from twiceshy.core.moment import format_stamp
from twiceshy.interop.imports import ImportContext, claude_mem
from twiceshy.notes.undo import undo_batch
from twiceshy.store.command_store import WholeStore

OBSERVED = """id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL,
    text TEXT, type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT,
    files_read TEXT, files_modified TEXT, merged_into_project TEXT, created_at TEXT NOT NULL,
    created_at_epoch INTEGER NOT NULL"""
SUMMED_UP = """id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT, project TEXT, request TEXT,
    investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT,
    notes TEXT, merged_into_project TEXT, created_at TEXT, created_at_epoch INTEGER"""
DIRECTIVES = """id INTEGER PRIMARY KEY AUTOINCREMENT, scope TEXT, project TEXT, content TEXT, status TEXT,
    created_at TEXT, created_at_epoch INTEGER"""
AT = 1_780_000_000_000


def observed(kind: object, title: object, **more: object) -> dict[str, object]:
    """Return a row as claude-mem writes it."""
    row: dict[str, object] = {"memory_session_id": "m1", "project": "shop"}
    row |= {"type": kind, "title": title}
    return row | {"created_at": format_stamp(AT), "created_at_epoch": AT} | more


ROWS = [
    observed(
        "bugfix",
        "Lock before tagging",
        subtitle="The tag pointed at an old lock file.",
        narrative="uv rewrote the lock file after the tag was set.",
        facts='["uv lock changes the file"]',
        concepts='["problem-solution","gotcha"]',
        files_modified='["release.sh"]',
        files_read='["uv.lock"]',
    ),
    observed("decision", "Keep notes in SQLite", project="warehouse"),
    observed("feature", "Added a release script", narrative="It locks, tags and pushes."),
    observed("sensitive", "The owner's salary"),
    observed("discovery", "The owner's key is AKIAZ3MXQW7PLRTV5N2K"),
]


def filled(folder: Path) -> Path:
    """Make a database of claude-mem with some of everything."""
    path = a_table(folder / "claude-mem.db", "observations", OBSERVED, ROWS)
    summary = {
        "memory_session_id": "m1",
        "project": "shop",
        "request": "tag the release",
        "learned": "lock first",
        "next_steps": "publish",
        "files_edited": "[]",
        "created_at_epoch": AT,
    }
    a_table(path, "session_summaries", SUMMED_UP, [summary])
    rules = [
        {"scope": "global", "content": "Ask before you push.", "status": "active"},
        {"scope": "project", "project": "shop", "content": "Old habit.", "status": "archived"},
    ]
    return a_table(path, "directives", DIRECTIVES, rules)


def test_observations_become_notes_with_reason_files_and_date(
    imported: Imported, store: WholeStore, user: Path, around: ImportContext
) -> None:
    filled(user / ".claude-mem")

    report = imported(claude_mem)

    rule, decision, lesson, secret = all_notes(store)
    assert lesson.text == "Lock before tagging. The tag pointed at an old lock file."
    assert lesson.why.startswith("uv rewrote the lock file")
    assert "- uv lock changes" in lesson.why
    assert (lesson.kind, lesson.subtype, lesson.learned_at) == ("lesson", "gotcha", AT)
    assert (lesson.files, lesson.concepts) == (
        ("release.sh", "uv.lock"),
        ("problem-solution", "gotcha"),
    )
    assert lesson.scope.project == around.here.id
    assert (lesson.source, lesson.origin_session) == ("import", "claude-mem: observations:1")
    assert decision.scope.project not in (around.here.id, "*")
    assert rule.status != "active"
    assert rule.id in report.waiting
    assert "AKIA" not in secret.text
    assert report.secrets == ("observations:5",)


def test_what_came_of_everything_is_told(
    imported: Imported, store: WholeStore, user: Path, around: ImportContext
) -> None:
    filled(user / ".claude-mem")

    report = imported(claude_mem)

    assert (report.offered, len(report.imported), report.episodes) == (8, 4, 2)
    assert report.refused == {
        "observations:4": "claude-mem marks it as sensitive",
        "directives:2": "it was switched off in claude-mem",
    }
    episodes = episodes_of(store, around.here.id)
    assert episodes["tag the release"].summary == "learned: lock first\nnext steps: publish"
    assert episodes["Added a release script"].kind == "note"


def test_a_second_import_and_an_undo_leave_what_was_there(
    imported: Imported, store: WholeStore, user: Path
) -> None:
    filled(user / ".claude-mem")
    first = imported(claude_mem)
    before = all_notes(store)

    again = imported(claude_mem)

    assert (len(again.imported), again.episodes, again.known) == (0, 0, 6)
    assert all_notes(store) == before
    undo_batch(app_of(store), first.batch)
    assert {note.status for note in all_notes(store)} == {"retired"}


def test_a_project_is_told_by_the_folder_of_its_tool_calls(
    imported: Imported, store: WholeStore, tmp_path: Path, around: ImportContext
) -> None:
    folder = tmp_path / "elsewhere" / "warehouse"
    folder.mkdir(parents=True)
    path = filled(tmp_path / "data")
    calls = [{"project": "warehouse", "cwd": str(folder)}, {"project": "shop", "cwd": "/etc"}]
    a_table(path, "tool_uses", "id INTEGER PRIMARY KEY, project TEXT, cwd TEXT", calls)

    imported(claude_mem, path)

    projects = {note.text[:4]: note.scope.project for note in all_notes(store)}
    assert projects["Keep"] == around.identify(str(folder)).id
    assert projects["Lock"] == around.here.id  # a call from another folder says nothing about it


def test_a_variable_moves_its_folder(around: ImportContext, tmp_path: Path) -> None:
    path = filled(tmp_path / "moved")

    found = claude_mem.find_places(around.but(environ={"CLAUDE_MEM_DATA_DIR": str(path.parent)}))

    assert [place.path for place in found] == [str(path)]
    assert claude_mem.find_places(around) == []


def test_what_its_writer_has_not_put_into_the_file_comes_in_and_nothing_is_left_behind(
    imported: Imported, store: WholeStore, tmp_path: Path
) -> None:
    path = filled(tmp_path / "data")
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        row = observed("decision", "Ship on Mondays")
        writer.execute(
            f"INSERT INTO observations ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",
            [*row.values()],
        )
        writer.commit()
        beside = sorted(os.listdir(path.parent))

        imported(claude_mem, path)

        assert sorted(os.listdir(path.parent)) == beside
    assert "Ship on Mondays" in [note.text for note in all_notes(store)]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (observed("discovery", b"\x00\xff"), "its title is no text"),
        (observed("discovery", ""), "it has no title"),
        (observed("discovery", "x", facts='{"a": 1}'), "its facts is no list of texts"),
        (observed("discovery", "x", facts="[" * 100_000), "it is no JSON, or nests too deep"),
        (observed("discovery", "x", concepts='["a", 2]'), "its concepts is no list of texts"),
        (observed("discovery", "a\u202eb"), "invisible or control character (U+202E)"),
        (observed("discovery", "x", narrative="y" * 9_000), "the reason has 9,000 characters"),
        (observed(b"blob", "x"), "its type is no text"),
    ],
)
def test_a_row_that_is_wrong_stays_out_alone(
    imported: Imported, store: WholeStore, tmp_path: Path, row: dict[str, object], why: str
) -> None:
    good = observed("discovery", "Robert'); DROP TABLE notes;--", project="x'; DROP TABLE y;--")
    path = a_table(tmp_path / "claude-mem.db", "observations", OBSERVED, [row, good])

    report = imported(claude_mem, path)

    assert list(report.refused) == ["observations:1"]
    assert why in report.refused["observations:1"]
    assert [note.text for note in all_notes(store)] == [good["title"]]


def test_a_date_that_cannot_be_read_keeps_no_note_out(
    imported: Imported, store: WholeStore, tmp_path: Path
) -> None:
    odd = [-5, "soon", b"x", float("inf"), 2**62]
    rows = [
        observed("decision", f"Number {at}", created_at="never", created_at_epoch=value)
        for at, value in enumerate(odd)
    ]
    began = store.now()
    path = a_table(tmp_path / "claude-mem.db", "observations", OBSERVED, rows)

    report = imported(claude_mem, path)

    assert report.refused == {}
    assert all(began < note.learned_at <= store.now() for note in all_notes(store))


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 4096])
def test_a_file_that_is_no_database_of_its_stays_out(
    imported: Imported, store: WholeStore, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "claude-mem.db"
    path.write_bytes(content)

    report = imported(claude_mem, path)

    assert len(report.refused) == 1
    assert not all_notes(store)


def test_a_view_that_never_ends_is_no_table(
    imported: Imported, store: WholeStore, tmp_path: Path
) -> None:
    path = tmp_path / "claude-mem.db"
    with closing(sqlite3.connect(path)) as db:
        endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r"
        db.execute(f"CREATE VIEW observations AS SELECT n AS id, n AS title FROM ({endless})")

    report = imported(claude_mem, path)

    assert report.refused == {str(path): "it has no table observations"}
    assert all_notes(store) == []
