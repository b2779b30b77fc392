"""Whatever another program left, an import ends: each piece comes in or is told with a reason, and no secret is kept."""

import gzip
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.interop.imports.conftest import Imported, put

from twiceshy.interop.imports import (
    basic_memory,
    claude_mem,
    codex_memories,
    engram,
    instructions,
    markdown,
    mcp_memory,
    mem0,
    memsearch,
)
from twiceshy.interop.imports.import_run import ImportReport
from twiceshy.interop.imports.seeds import fireworks, magic_context

TOKEN = "ghp_" + "a1B2" * 9
SAID = "Lock before tagging."

TABLES: dict[str, tuple[ModuleType, str, str]] = {
    "claude-mem": (
        claude_mem,
        "observations",
        "id project type title subtitle text facts narrative concepts files_read files_modified "
        "memory_session_id merged_into_project created_at_epoch",
    ),
    "summaries": (
        claude_mem,
        "session_summaries",
        "id project request investigated learned files_read memory_session_id created_at",
    ),
    "engram": (
        engram,
        "observations",
        "id sync_id session_id type title content project scope topic_key duplicate_count "
        "created_at updated_at deleted_at",
    ),
    "mcp": (
        mcp_memory,
        "memories",
        "id content_hash content tags memory_type metadata created_at created_at_iso superseded_by",
    ),
    "mem0": (mem0, "history", "memory_id old_memory new_memory event created_at is_deleted"),
    "magic-context": (
        magic_context,
        "skill_memory",
        "id skill_id tier project_identity origin_project source_type intent kind delta tags "
        "hit_count recall_count pinned created_at last_used_at",
    ),
}
BESIDE = {
    "summaries": "CREATE TABLE observations (id, title)",
    "engram": "CREATE TABLE sessions (id, directory)",
}
likely = st.sampled_from(
    [
        *(SAID, TOKEN, f'["{TOKEN}"]', '{"project": "/etc"}', "[" * 5_000, "project", "global"),
        *("gotcha", "decision", "../..", "/", "\0", "\u202e", "\ud800", "n1", "x" * 300_000, "*"),
    ]
)
values = (
    st.none()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats()
    | st.binary(max_size=20)
    | st.text(max_size=30)
    | likely
)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | likely,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


def accounted(report: ImportReport) -> bool:
    """Tell whether something became of each piece."""
    came = len(report.imported) + len(report.merged) + report.known
    beside = report.episodes + report.signals + report.counts
    return report.offered == came + beside + len(report.refused)


def kept_in(home: Path) -> bytes:
    return b"".join(each.read_bytes() for each in home.rglob("*") if each.is_file())


def stored(value: object) -> object:
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value


@pytest.mark.parametrize("name", TABLES)
@settings(max_examples=25)
@given(data=st.data())
def test_any_value_in_any_column_is_taken_or_told(
    imported: Imported, tmp_path: Path, home: Path, name: str, data: st.DataObject
) -> None:
    source, table, columns = TABLES[name]
    names = columns.split()
    row = data.draw(st.lists(values, min_size=len(names), max_size=len(names)))
    path = tmp_path / "other.db"
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"CREATE TABLE {table} ({', '.join(names)})")
        db.execute(BESIDE.get(name, "SELECT 1"))
        asked = ["CAST(? AS TEXT)" if isinstance(each, str) else "?" for each in row]
        db.execute(f"INSERT INTO {table} VALUES ({', '.join(asked)})", [*map(stored, row)])
        db.commit()

    report = imported(source, path)

    assert accounted(report)
    assert TOKEN not in str(report.fields())
    assert TOKEN.encode() not in kept_in(home)


@settings(max_examples=30)
@given(value=anything)
def test_any_json_is_taken_or_told(
    imported: Imported, tmp_path: Path, home: Path, value: object
) -> None:
    rows = [{"id": "m1", "memory": SAID, "metadata": value, "categories": value}, value]
    changes = [{"entity": "observation", "entity_key": value, "op": "upsert", "payload": value}]
    chunk = {"sessions": [value], "observations": [value, {"id": value, "content": value}]}
    put(tmp_path / "export.json", json.dumps(rows))
    packed = gzip.compress(json.dumps(chunk | {"mutations": changes}).encode())
    chunks = tmp_path / "engram" / "chunks"
    chunks.mkdir(parents=True, exist_ok=True)
    (chunks / "a.jsonl.gz").write_bytes(packed)

    reports = [
        imported(mem0, tmp_path / "export.json"),
        imported(engram, tmp_path / "engram"),
    ]

    assert all(map(accounted, reports))
    assert TOKEN not in str([report.fields() for report in reports])
    assert TOKEN.encode() not in kept_in(home)


lines = st.lists(
    st.text(max_size=20)
    | likely
    | st.sampled_from(
        [
            *("# Task Group: x", "applies_to: cwd=/etc; reuse_rule=none", "## User preferences"),
            *(f"- {SAID}", f"- [gotcha] {SAID} #{TOKEN} ({TOKEN})", f"* [ ] {TOKEN}", "---"),
            *("```", "<!--", f"<!-- session:{TOKEN} -->", "## Session 10:11", "### 99:99", "- "),
            f"- [2026-08] [{TOKEN}] {SAID}  [HIT:99999999999999999999]",
        ]
    ),
    max_size=8,
)


@pytest.mark.parametrize(
    "place",
    [
        (basic_memory, "kb/a.md", "kb"),
        (codex_memories, "memories/MEMORY.md", "memories"),
        (codex_memories, "memories/rollout_summaries/a.md", "memories"),
        (memsearch, ".memsearch/memory/2026-10-02.md", ".memsearch"),
        (markdown, f"vault/notes {TOKEN}.md", "vault"),
        (instructions, "CLAUDE.md", "CLAUDE.md"),
        (fireworks, "skills/release/KNOWLEDGE.md", "skills/release/KNOWLEDGE.md"),
    ],
    ids=lambda place: f"{place[0].NAME} {Path(place[1]).name}",
)
@settings(max_examples=12)
@given(said=lines)
def test_any_text_is_taken_or_told(
    imported: Imported,
    tmp_path: Path,
    home: Path,
    place: tuple[ModuleType, str, str],
    said: list[str],
) -> None:
    source, name, named = place
    file = tmp_path / "theirs" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes("\n".join(said).encode("utf-8", "surrogatepass"))

    report = imported(source, tmp_path / "theirs" / named)

    assert accounted(report)
    assert TOKEN not in str(report.fields())
    assert TOKEN.encode() not in kept_in(home)
