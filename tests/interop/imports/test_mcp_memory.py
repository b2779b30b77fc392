"""What mcp-memory-service holds comes in: each memory as the kind of note that its type tells."""

from pathlib import Path

import pytest
from tests.interop.imports.conftest import Imported, all_notes
from tests.interop.imports.tables import a_table, episodes_of

from twiceshy.core.draft import MAX_PAGE, MAX_TEXT
from twiceshy.core.scope import EVERYWHERE
from twiceshy.interop.imports import ImportContext, mcp_memory
from twiceshy.store.command_store import WholeStore

COLUMNS = """id INTEGER PRIMARY KEY AUTOINCREMENT, content_hash TEXT UNIQUE NOT NULL, content TEXT NOT NULL,
    tags TEXT, memory_type TEXT, metadata TEXT, created_at REAL, updated_at REAL, created_at_iso TEXT,
    updated_at_iso TEXT, deleted_at REAL, superseded_by TEXT"""
AT = 1_780_000_000.25


def remembered(content: object, **more: object) -> dict[str, object]:
    """Return a row as the service writes it."""
    row = {"content_hash": f"hash of {content!r}"[:60], "content": content, "tags": "untagged"}
    return row | {"memory_type": None, "metadata": "{}", "created_at": AT} | more


def filled(path: Path, rows: list[dict[str, object]]) -> Path:
    """Make a database of the service."""
    return a_table(path, "memories", COLUMNS, rows)


def test_memories_become_notes_of_the_kind_that_their_type_tells(
    imported: Imported, store: WholeStore, user: Path, around: ImportContext
) -> None:
    rows = [
        remembered("Aim for small commits.", memory_type="best_practice", tags="git, style"),
        remembered("Builds fail without the lock.", memory_type="failure", tags="project:shop"),
        remembered("Choose SQLite.", memory_type="decision", metadata='{"project": "warehouse"}'),
        remembered("Deleted.", deleted_at=AT),
        remembered("Early words.", superseded_by="hash"),
        remembered("Fetched the page.", memory_type="command"),
    ]
    filled(user / ".local/share/mcp-memory/sqlite_vec.db", rows)

    report = imported(mcp_memory)

    small, lock, choice = all_notes(store)
    assert (report.offered, len(report.imported), report.episodes) == (5, 3, 1)
    assert report.refused == {"memories:5": "a newer one replaced it there"}
    assert (small.kind, small.subtype, small.concepts) == (
        "pattern",
        "best-practice",
        ("git", "style"),
    )
    assert (small.scope.project, small.learned_at) == (EVERYWHERE, int(AT * 1000))
    assert (lock.subtype, lock.scope.project) == ("pitfall", around.here.id)
    assert choice.kind == "decision"
    assert choice.scope.project not in (EVERYWHERE, around.here.id)
    assert set(episodes_of(store, EVERYWHERE)) == {"Fetched the page."}


def test_variables_move_its_file(around: ImportContext, tmp_path: Path) -> None:
    one = filled(tmp_path / "one.db", [])
    two = filled(tmp_path / "base" / "sqlite_vec.db", [])
    environ = {"MCP_MEMORY_SQLITE_PATH": str(one), "MCP_MEMORY_BASE_DIR": str(two.parent)}

    found = mcp_memory.find_places(around.but(environ=environ))

    assert [place.path for place in found] == [str(one), str(two)]
    assert mcp_memory.find_places(around) == []


def test_a_long_memory_becomes_a_page_and_an_endless_one_stays_out(
    imported: Imported, store: WholeStore, tmp_path: Path
) -> None:
    rows = [
        remembered("How to release\n" + "step. " * MAX_TEXT),
        remembered("x" * (MAX_PAGE + 1), content_hash="other"),
    ]
    path = filled(tmp_path / "memory.db", rows)

    report = imported(mcp_memory, path)

    (page,) = all_notes(store)
    assert (page.kind, page.tag) == ("page", "How to release")
    assert "more than 200,000 characters" in report.refused["memories:2"]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (remembered(b"\xff\xfe"), "its content is no text"),
        (remembered("   "), "it has no content"),
        (remembered("x", tags=b"\0"), "its tags is no text"),
        (remembered("x", memory_type=b"3"), "its memory_type is no text"),
    ],
)
def test_a_row_that_is_wrong_stays_out_alone(
    imported: Imported, store: WholeStore, tmp_path: Path, row: dict[str, object], why: str
) -> None:
    path = filled(tmp_path / "memory.db", [row, remembered("A good one.")])

    report = imported(mcp_memory, path)

    assert report.refused == {"memories:1": why}
    assert [note.text for note in all_notes(store)] == ["A good one."]


@pytest.mark.parametrize("metadata", ["", "nonsense", "[" * 100_000, "7", '{"project": 7}', b"\0"])
def test_metadata_that_says_nothing_keeps_no_memory_out(
    imported: Imported, store: WholeStore, tmp_path: Path, metadata: object
) -> None:
    path = filled(tmp_path / "memory.db", [remembered("A good one.", metadata=metadata)])

    report = imported(mcp_memory, path)

    assert report.refused == {}
    assert [note.scope.project for note in all_notes(store)] == [EVERYWHERE]
