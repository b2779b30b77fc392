"""What the samples of other tools are, each where its program keeps it, and what is wrong with some of it."""

import json
from pathlib import Path

from tests.interop.imports import (
    test_basic_memory,
    test_claude_mem,
    test_codex_memories,
    test_engram,
    test_mcp_memory,
    test_mem0,
    test_memsearch,
)
from tests.interop.imports.conftest import put

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


def left_by_peers(user: Path, project: Path, aside: Path) -> Path:
    """Fill home and project with the samples of every tool; return the export of mem0, which has no usual place."""
    test_claude_mem.filled(user / ".claude-mem")
    test_codex_memories.filled(user / ".codex" / "memories", project)
    test_engram.filled(project / ".engram")
    (project / ".engram" / "chunks" / "cccc.jsonl.gz").write_bytes(b"cut off")
    test_memsearch.filled(project / ".memsearch")
    test_basic_memory.filled(user, aside / "kb")
    (aside / "kb" / "bytes.md").write_bytes(b"\xff")
    test_mcp_memory.filled(user / ".local/share/mcp-memory/sqlite_vec.db", REMEMBERED)
    return put(aside / "export.json", json.dumps(EXPORTED))
