"""The table of docs/importing-peers.md is what importing the samples of these tests gives, one after another."""

from pathlib import Path

from tests.interop.imports.conftest import Imported
from tests.interop.imports.peers import left_by_peers

from twiceshy.interop.imports import (
    basic_memory,
    claude_mem,
    codex_memories,
    engram,
    mcp_memory,
    mem0,
    memsearch,
)
from twiceshy.interop.imports.import_run import ImportReport

PAGE = Path(__file__).parents[3] / "docs" / "importing-peers.md"


def row(report: ImportReport) -> str:
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
    export = left_by_peers(user, project, tmp_path)

    reports = [
        imported(source) for source in (claude_mem, basic_memory, memsearch, engram, mcp_memory)
    ]
    reports += [imported(mem0, export), imported(codex_memories)]

    page = PAGE.read_text(encoding="utf-8").splitlines()
    told = [line for line in map(row, reports) if line not in page]
    assert told == []
