"""What other programs wrote themselves comes in, and a second time nothing does."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.journeys.lab import peers
from tests.journeys.lab.clients import NoClientError

pytestmark = pytest.mark.journey

LOCK, SQLITE = "Lock before tagging", "Keep notes in SQLite"


def written(write: Callable[..., Path], *places: Path) -> Path:
    """Let a program write; where it cannot be had, the journey is skipped with the reason."""
    try:
        return write(*places)
    except NoClientError as why:
        pytest.skip(str(why))


def twiceshy(*words: str | Path, cwd: Path) -> dict[str, object]:
    """Run a command in a project called shop, and return the JSON that it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "twiceshy", *map(str, words), "--json"],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


def brought(source: str, path: Path, cwd: Path) -> list[tuple[str, str, str]]:
    """Import from a path twice; return kind, type and text of what the first time brought."""
    twiceshy("import", source, path, cwd=cwd)
    first = listed(cwd)
    twiceshy("import", source, path, cwd=cwd)
    assert listed(cwd) == first
    return sorted((str(each["kind"]), str(each["subtype"]), str(each["text"])) for each in first)


def listed(cwd: Path) -> list[dict[str, object]]:
    found = twiceshy("list", "--limit", "100", cwd=cwd)
    assert isinstance(found, list)
    return found


def test_claude_mem(tmp_path: Path, shop: Path) -> None:
    path = written(peers.claude_mem_writes, tmp_path / "claude-mem.db")

    notes = brought("claude-mem", path, shop)

    assert notes == [
        ("decision", "other", f"{SQLITE}. Said in one sentence."),
        ("lesson", "gotcha", f"{LOCK}. Said in one sentence."),
    ]


def test_mcp_memory_service(tmp_path: Path, shop: Path) -> None:
    path = written(peers.mcp_memory_service_writes, tmp_path / "sqlite_vec.db")

    notes = brought("mcp-memory-service", path, shop)

    assert notes == [("decision", "other", f"{SQLITE}."), ("lesson", "gotcha", f"{LOCK}.")]


@pytest.mark.parametrize("file", ["export.json", "history.db"])
def test_mem0(tmp_path: Path, shop: Path, file: str) -> None:
    (tmp_path / "mem0").mkdir()
    folder = written(peers.mem0_writes, tmp_path / "mem0")

    notes = brought("mem0", folder / file, shop)

    assert notes == [
        ("lesson", "discovery", "Dev prefers tabs."),
        ("lesson", "discovery", f"{LOCK}."),
    ]


def test_basic_memory(tmp_path: Path, shop: Path) -> None:
    (tmp_path / "theirs").mkdir()
    folder = written(peers.basic_memory_writes, shop / "kb", tmp_path / "theirs")

    notes = brought("basic-memory", folder, shop)

    assert notes == [("decision", "other", SQLITE), ("lesson", "gotcha", f"{LOCK} #uv")]
