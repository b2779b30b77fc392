"""A user of memory-keeper moves in: files come in, the agent is asked to save as it was, and all leaves again."""

import json
import shlex
import sys
from pathlib import Path

import pytest
from tests.journeys.lab.claude_code import ClaudeCode
from tests.journeys.lab.script import calls, says
from tests.older_systems import keeper_files as keeper
from tests.older_systems.keeper_files import SESSION, KeeperFact
from tests.requirements import requirement

pytestmark = pytest.mark.journey

SLOW = KeeperFact("issues", "The query takes 3s", "performance", files=["src/db.ts"])
FILES = {
    "facts.json": keeper.facts_json([SLOW]),
    f"sessions/{SESSION}.md": keeper.session([SLOW]),
    "project.md": "# Shop\n\nA shop for prints.",
}


@pytest.fixture
def shop(connected: ClaudeCode) -> Path:
    """A project of such a user, who switched the banner on and installed again."""
    project = connected.lab.project("shop")
    connected.trust(project)
    keeper.write_files(project, FILES)
    (connected.lab.memory / "config.toml").write_text("[keeper]\nbanner = true\n")
    connected.lab.twiceshy("install", "claude-code", "--yes")
    connected.lab.twiceshy("import", "memory-keeper", cwd=project)
    return project


@requirement("K17", "K41", "K47")
def test_files_come_in_the_agent_saves_at_the_end_of_its_turn_and_files_leave(
    connected: ClaudeCode, shop: Path, tmp_path: Path
) -> None:
    lab = connected.lab
    add = [sys.executable, "-m", "twiceshy", "add-decision", "Use an index", "The query was slow"]

    connected.ask(
        "look around",
        *[calls("Bash", command=f"echo {number}", description="Look") for number in range(5)],
        says("I looked."),
        calls("Bash", command=shlex.join(add), description="Save"),
        says("Saved."),
        project=shop,
    )

    assert lab.find("Open issues: [n")  # the session start
    assert lab.find("[MEMORY_KEEPER] SESSION ENDING - Final Save Required")
    # the turn went on behind these words once: eight answers, and no ninth was asked for
    assert "I looked." in str(lab.requests[-1].body)
    assert len(lab.requests) == 8
    assert "Use an index" in lab.twiceshy("search", "index", cwd=shop).out
    lab.twiceshy("export", "--as", "keeper", str(tmp_path / "out"), cwd=shop)
    left = keeper.read_files(tmp_path / "out/shop")
    assert {name: left[name] for name in FILES if name != "facts.json"} == {
        name: text for name, text in FILES.items() if name != "facts.json"
    }
    told = json.loads(left["facts.json"])
    assert [one["content"] for one in told["decisions"]] == ["Use an index"]
    assert told["issues"] == json.loads(FILES["facts.json"])["issues"]
