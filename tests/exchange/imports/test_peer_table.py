"""The table of docs/importing-peers.md is what importing the samples of these tests gives, one after another."""

import json
from pathlib import Path

from tests.exchange.imports import (
    test_basic_memory,
    test_claude_mem,
    test_codex_memories,
    test_engram,
    test_mcp_memory,
    test_mem0,
    test_memsearch,
)
from tests.exchange.imports.conftest import Imported, put

from twiceshy.exchange.imports import (
    basic_memory,
    claude_mem,
    codex_memories,
    engram,
    mcp_memory,
    mem0,
    memsearch,
)
from twiceshy.exchange.imports.bringing import Report

PAGE = Path(__file__).parents[3] / "docs" / "importing-peers.md"
REMEMBERED = [
    test_mcp_memory.remembered("Aim for small commits.", memory_type="best_practice"),
    test_mcp_memory.remembered("Deleted there.", deleted_at=1.0),
    test_mcp_memory.remembered("Early words.", superseded_by="another"),
    test_mcp_memory.remembered("Fetched the page.", memory_type="command"),
    test_mcp_memory.remembered(b"\xff", tags="project:shop"),
    test_mcp_memory.remembered("SQLite over files", tags="project:shop", memory_type="decision"),
]
EXPORTED = [
    *test_mem0.MEMORIES,
    test_mem0.remembered("m5", "Aim for small commits."),
    test_mem0.remembered("m6", 7),
]


def row(report: Report) -> str:
    """Write what became of a source as a row of the table."""
    why = "; ".join(dict.fromkeys(report.refused.values())) or "-"
    counts = (
        report.offered,
        len(report.imported),
        len(report.merged),
        report.episodes,
        len(report.waiting),
        len(report.refused),
    )
    return f"| {report.source} | {' | '.join(map(str, counts))} | {why} |"


def test_the_page_tells_what_the_samples_give(
    imported: Imported, user: Path, project: Path, tmp_path: Path
) -> None:
    test_claude_mem.filled(user / ".claude-mem")
    test_codex_memories.filled(user / ".codex" / "memories", project)
    test_engram.filled(project / ".engram")
    (project / ".engram" / "chunks" / "cccc.jsonl.gz").write_bytes(b"cut off")
    test_memsearch.filled(project / ".memsearch")
    test_basic_memory.filled(user, tmp_path / "kb")
    (tmp_path / "kb" / "bytes.md").write_bytes(b"\xff")
    test_mcp_memory.filled(user / ".local/share/mcp-memory/sqlite_vec.db", REMEMBERED)
    export = put(tmp_path / "export.json", json.dumps(EXPORTED))

    reports = [
        imported(source) for source in (claude_mem, basic_memory, memsearch, engram, mcp_memory)
    ]
    reports += [imported(mem0, export), imported(codex_memories)]

    page = PAGE.read_text(encoding="utf-8").splitlines()
    told = [line for line in map(row, reports) if line not in page]
    assert told == []
